/** Formats the last lines of a run: a table of the steps, the reasons of failures, and the totals. */

/** Maximum number of lines of the summary; a truncated log contains about this number of lines at its end. */
const LINES_MAX = 50;
/** Number of lines of the summary that are reserved for the totals at the end and for blank lines. */
const OTHER_LINES = 5;
/** Minimum number of lines for a failure: its title, its reason, the visible text of the page, and the screenshot. */
const FAILURE_LINES_MIN = 4;

/**
 * Returns the summary of a run in at most fifty lines, or in more if many tests failed at first and passed when
 * repeated.
 * @param {readonly import('./run-steps.mjs').StepResult[]} results
 * @param {string} cost seconds, processor seconds and seed of the run
 * @returns {string[]} lines without line breaks
 */
export function summaryOf(results, cost) {
  const failures = results.flatMap(({ failures: stepFailures = [] }) => stepFailures);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const repeated = results.flatMap(({ repeated: stepRepeated = [] }) => stepRepeated);
  const repeatedLines = repeated.flatMap((failure) => failure.split('\n').slice(0, FAILURE_LINES_MIN));
  if (repeated.length > 0) repeatedLines.unshift('Failed at first, passed when repeated; find the cause:');
  const lineCount = LINES_MAX - OTHER_LINES - results.length - repeatedLines.length;
  return [
    '',
    ...results.map(tableLine),
    '',
    ...repeatedLines,
    ...failureLines(failures, lineCount),
    cost,
    `${passed} passed, ${failed} failed`,
  ];
}

/**
 * Returns the lines of as many failures as fit in their shortest form, each with at most the same number of lines, and
 * a line with the number of failures that are left out, if any.
 * @param {readonly string[]} failures texts of several lines @param {number} lineCount @returns {string[]}
 */
function failureLines(failures, lineCount) {
  const countMax = Math.floor((lineCount - 1) / (FAILURE_LINES_MIN + 1));
  const shown = failures.slice(0, countMax);
  const each = Math.floor((lineCount - 1) / Math.max(1, shown.length)) - 1;
  const hidden = failures.length - shown.length;
  return [
    ...shown.flatMap((failure) => [...failure.split('\n').slice(0, each), '']),
    ...(hidden > 0 ? [`${hidden} more failed; their reasons stand above, under their steps.`] : []),
  ];
}

/** Returns a step's line in the table of results. @param {import('./run-steps.mjs').StepResult} result */
function tableLine({ name, seconds, processorSeconds, passed, failed, note = '' }) {
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  const duration = `${seconds.toFixed(1)} s`.padStart(8);
  const work = (processorSeconds === undefined ? '' : `${processorSeconds.toFixed(1)} cpu s`).padStart(13);
  const counts = `${passed} passed, ${failed} failed`;
  return [verdict.padEnd(7), name.padEnd(13), duration, work, '', counts, note].join(' ').trimEnd();
}
