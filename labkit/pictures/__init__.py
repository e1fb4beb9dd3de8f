"""The course's pictures: automata, trees and charts, as SVG for notebooks and pages, and as text for terminals."""

from labkit.pictures._svg import Svg
from labkit.pictures.answers import DrawnAnswer, answers_svg
from labkit.pictures.bars import bar_chart
from labkit.pictures.batch import batch_svg
from labkit.pictures.byte_boxes import byte_boxes_svg
from labkit.pictures.captions import captioned
from labkit.pictures.chart import line_chart
from labkit.pictures.functions import TokenFunction, functions_svg
from labkit.pictures.graphs.automaton import fsm_svg
from labkit.pictures.graphs.dot import fsm_dot
from labkit.pictures.graphs.flat import written_out
from labkit.pictures.graphs.ideas import Idea, ideas_svg
from labkit.pictures.graphs.labels import char_label, range_label
from labkit.pictures.graphs.text import fsm_text
from labkit.pictures.graphs.tree import tree_svg
from labkit.pictures.masks import mask_svg
from labkit.pictures.motion import in_turn, walked
from labkit.pictures.steps import Step, steps_svg
from labkit.pictures.timeline import Lane, Moment, timeline_svg
from labkit.pictures.tokens import WrittenToken, tokens_svg
from labkit.pictures.units import quantity
from labkit.pictures.words import words_svg

__all__ = [
    "DrawnAnswer",
    "Idea",
    "Lane",
    "Moment",
    "Step",
    "Svg",
    "TokenFunction",
    "WrittenToken",
    "answers_svg",
    "bar_chart",
    "batch_svg",
    "byte_boxes_svg",
    "captioned",
    "char_label",
    "fsm_dot",
    "fsm_svg",
    "fsm_text",
    "functions_svg",
    "ideas_svg",
    "in_turn",
    "line_chart",
    "mask_svg",
    "quantity",
    "range_label",
    "steps_svg",
    "timeline_svg",
    "tokens_svg",
    "tree_svg",
    "walked",
    "words_svg",
    "written_out",
]
