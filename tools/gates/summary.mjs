/** The last lines of a run: a table of its steps, why tests failed, and the sum. */

/** A log that is cut keeps so many of its last lines. */
const LINES_MAX = 50;
/** The sum at the end, and the blank lines around the table. */
const OTHER_LINES = 5;
/** Less than this of a failure says nothing: its title, its reason, what a page showed, and the picture. */
const FAILURE_LINES_MIN = 4;

/**
 * Everything that a reader needs to know of a run, in no more than fifty lines.
 * @param {readonly import('./run-steps.mjs').StepResult[]} results
 * @param {string} cost seconds, processor seconds and seed of the run
 * @returns {string[]} lines without line breaks
 */
export function summaryOf(results, cost) {
  const failures = results.flatMap(({ failures: ofStep = [] }) => ofStep);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const room = LINES_MAX - OTHER_LINES - results.length;
  return [
    '',
    ...results.map(tableLine),
    '',
    ...failureLines(failures, room),
    cost,
    `${passed} passed, ${failed} failed`,
  ];
}

/**
 * As many failures as have room for the least of each; of each as much as then has room.
 * @param {readonly string[]} failures texts of several lines @param {number} room in lines @returns {string[]}
 */
function failureLines(failures, room) {
  const countMax = Math.floor((room - 1) / (FAILURE_LINES_MIN + 1));
  const shown = failures.slice(0, countMax);
  const each = Math.floor((room - 1) / Math.max(1, shown.length)) - 1;
  const hidden = failures.length - shown.length;
  return [
    ...shown.flatMap((failure) => [...failure.split('\n').slice(0, each), '']),
    ...(hidden > 0 ? [`${hidden} more failed; their reasons stand above, under their steps.`] : []),
  ];
}

/** @param {import('./run-steps.mjs').StepResult} result */
function tableLine({ name, seconds, processorSeconds, passed, failed, note = '' }) {
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  const duration = `${seconds.toFixed(1)} s`.padStart(8);
  const work = (processorSeconds === undefined ? '' : `${processorSeconds.toFixed(1)} cpu s`).padStart(13);
  const counts = `${passed} passed, ${failed} failed`;
  return [verdict.padEnd(7), name.padEnd(13), duration, work, '', counts, note].join(' ').trimEnd();
}
