// How Sphinx ranks what a search has found: a chapter comes before the notes and the notebook about it.
var Scorer = {
  score: ([page, , , , score]) => score + (/^labs\/[^/]+\/README$/.test(page) ? 6 : /^(upstream_notes|solutions|CHANGELOG)/.test(page) ? -6 : 0),
  objNameMatch: 11, objPartialMatch: 6, objPrio: {}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
