import { fileURLToPath } from 'node:url';
import { realpathSync } from 'node:fs';

/** Root folder of the repository. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Returns whether Node was started with the module at `moduleUrl`. @param {string} moduleUrl */
export function isStartedAs(moduleUrl) {
  const script = process.argv[1];
  return script !== undefined && realpathSync(script) === realpathSync(fileURLToPath(moduleUrl));
}

/**
 * Prints one violation per line and sets the exit code to 1 if there are violations.
 * @param {string} subject name of the check
 * @param {readonly import('./tree.mjs').Violation[]} violations
 */
export function report(subject, violations) {
  for (const { file, line, rule, why } of violations) console.error(`${file}:${line} ${rule} — ${why}`);
  if (violations.length > 0) process.exitCode = 1;
  console.log(
    violations.length === 0 ? `${subject}: in order` : `${subject}: ${violations.length} violations`,
  );
}
