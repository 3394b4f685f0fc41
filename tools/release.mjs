/**
 * `npm run release -- 1.2.0` records a release. It writes the digests of the release's new migrations to
 * `released.sha256`, after which these files must not change. It moves the entries under "Unreleased" in `CHANGELOG.md`
 * below a heading with version and date. It changes nothing in these cases:
 *
 * - A released migration was changed or removed.
 * - A new migration has a lower number than a released one.
 * - There are no entries under "Unreleased".
 * - The version is not new or has a wrong format.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const VERSION = /^\d+\.\d+\.\d+$/;
const UNRELEASED = '## Unreleased';

/** Thrown for a problem that the caller of the command can solve. */
export class ReleaseRefused extends Error {}

/**
 * Returns the list of released migrations including those that are new in this release. Throws `ReleaseRefused` if a
 * released migration was changed or removed, or if a new one has a lower number than a released one.
 * @param {string} released the current list, with a digest and a file name on each line
 * @param {ReadonlyMap<string, string>} digests of all migrations, by file name
 * @returns {string}
 */
export function releasedWith(released, digests) {
  const lines = released.split('\n').filter((line) => line !== '');
  const known = new Map(
    lines.map((line) => /** @type {[file: string, digest: string]} */ (line.split(/\s+/).toReversed())),
  );
  for (const [file, digest] of known)
    if (digests.get(file) !== digest)
      throw new ReleaseRefused(`${file} was released and is not what it was then.`);
  const last = [...known.keys()].toSorted().at(-1) ?? '';
  const added = [...digests.keys()].filter((file) => !known.has(file)).toSorted();
  const late = added.find((file) => file < last);
  if (late !== undefined) throw new ReleaseRefused(`${late} is new and has a lower number than ${last}.`);
  return [...lines, ...added.map((file) => `${digests.get(file)}  ${file}`), ''].join('\n');
}

/**
 * Returns the change log with the unreleased entries under the version. Throws `ReleaseRefused` if there are no
 * unreleased entries, or if the version is not new or has a wrong format.
 * @param {string} changelog @param {string} version @param {string} day as 2026-11-26
 * @returns {string}
 */
export function changelogWith(changelog, version, day) {
  if (!VERSION.test(version)) throw new ReleaseRefused(`"${version}" is no version like 1.2.0.`);
  if (changelog.includes(`\n## ${version} `))
    throw new ReleaseRefused(`${version} is in CHANGELOG.md already.`);
  const [before, after] = changelog.split(`${UNRELEASED}\n`);
  if (before === undefined || after === undefined)
    throw new ReleaseRefused(`CHANGELOG.md has no "${UNRELEASED}".`);
  const notes = after.split('\n## ')[0]?.trim() ?? '';
  if (notes === '') throw new ReleaseRefused('CHANGELOG.md says nothing of this release.');
  return `${before}${UNRELEASED}\n\n## ${version} (${day})\n${after}`;
}

/**
 * Writes the list of released migrations and the change log of a release. Writes neither if one of them is refused.
 * @param {string} root @param {string} version @param {string} day
 */
export function release(root, version, day) {
  const folder = join(root, 'apps/server/migrations');
  const list = join(folder, 'released.sha256');
  const log = join(root, 'CHANGELOG.md');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const digests = new Map(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
  const released = releasedWith(readFileSync(list, 'utf8'), digests);
  const changelog = changelogWith(readFileSync(log, 'utf8'), version, day);
  writeFileSync(list, released);
  writeFileSync(log, changelog);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  try {
    const root = fileURLToPath(new URL('..', import.meta.url));
    release(root, process.argv[2] ?? '', new Date().toISOString().slice(0, 10));
    console.log('released.sha256 and CHANGELOG.md are written; commit and tag them.');
  } catch (error) {
    if (!(error instanceof ReleaseRefused)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
