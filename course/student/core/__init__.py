"""What every command needs: which labs there are, which file is graded, how it is loaded and stopped."""
