# The image of an external grader for PrairieLearn. Unpack the zip that `python3 -m course gradescope 02` writes, and
# build the image in that folder (keep it private: it holds the references):
#
#   docker build -f course/teaching/grading/platforms/prairielearn.Dockerfile -t YOU/mask-the-logits-02 .
#
# In the question's info.json:
#
#   "gradingMethod": "External",
#   "externalGradingOptions": {
#     "enabled": true,
#     "image": "YOU/mask-the-logits-02",
#     "entrypoint": "/autograder/source/course/teaching/grading/platforms/prairielearn.sh",
#     "timeout": 600
#   }
#
# and in question.html: <pl-file-upload file-names="starter.py"></pl-file-upload> in the question panel, and
# <pl-external-grader-results></pl-external-grader-results> in the submission panel.
FROM ubuntu:24.04
COPY . /autograder/source
RUN /autograder/source/setup.sh
