/**
 * Installs packages so that node_modules matches the lockfile. This file only imports modules of Node, because no
 * package may be installed yet.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Number of lines from the end of npm's error output that are shown if npm fails. */
const REASON_LINES = 20;

const OLDEST_NODE = [20, 19];
const STAMP = 'node_modules/.installed-lock';

/** A failure that the user can fix. Callers print its message without a stack trace. */
export class StartFailed extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = 'StartFailed';
  }
}

/** Throws `StartFailed` if Node is too old. @param {string} version such as process.versions.node */
export function requireNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new StartFailed(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${version}.`);
}

/**
 * Runs `npm ci` if the installed packages do not match the lockfile, and records the hash of the lockfile in
 * `node_modules`. Throws `StartFailed` if npm fails.
 * @param {string} root @param {(line: string) => void} say
 */
export function ensureInstalled(root, say) {
  const lockHash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const missing = missingPackages(root);
  if (missing.length === 0 && stampOf(root) === lockHash) return;
  if (missing.length === 0 && isInstalledAsLocked(root)) {
    stamp(root, lockHash);
    return;
  }
  say(missing.length > 0 ? `Installing packages (${missing[0]} is missing) …` : 'Installing packages …');
  const startedAt = performance.now();
  runNpm(root, [
    'ci',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  stamp(root, lockHash);
  say(`Installed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/**
 * @param {string} root @returns {string | null} hash of the lockfile that was installed last; null if unknown
 */
function stampOf(root) {
  const path = join(root, STAMP);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/** Stores the hash of the lockfile in `node_modules`. @param {string} root @param {string} lockHash */
function stamp(root, lockHash) {
  try {
    writeFileSync(join(root, STAMP), `${lockHash}\n`);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    // A checkout that another account has installed may not be writable. It can be used all the same, so the error is
    // ignored, and the next start compares the packages again.
  }
}

/** @param {unknown} error */
function isReadOnly(error) {
  return (
    error instanceof Error && 'code' in error && ['EROFS', 'EACCES', 'EPERM'].includes(String(error.code))
  );
}

/** @param {string} root @returns {string[]} packages that a workspace depends on and that are not installed */
function missingPackages(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const workspaces = Object.entries(lock.packages).filter(([path]) => !path.includes('node_modules'));
  return workspaces.flatMap(([path, { dependencies, devDependencies, optionalDependencies }]) => {
    const platformPackages = Object.keys(optionalDependencies ?? {}).filter((name) =>
      name.endsWith(`/${process.platform}-${process.arch}`),
    );
    const names = [...Object.keys({ ...dependencies, ...devDependencies }), ...platformPackages];
    const folders = [join(root, path, 'node_modules'), join(root, 'node_modules')];
    return names.filter((name) => !folders.some((folder) => existsSync(join(folder, name, 'package.json'))));
  });
}

/**
 * Returns whether the packages that npm has recorded in `node_modules` are those of the lockfile. @param {string} root
 */
function isInstalledAsLocked(root) {
  const copy = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(copy)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(copy, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true;
    const installed = present[path];
    return installed
      ? installed.version === entry.version && installed.integrity === entry.integrity
      : entry.optional === true;
  });
}

/**
 * Runs npm in the folder `root`. Throws `StartFailed` if npm fails. @param {string} root @param {string[]}
 * parameters
 */
function runNpm(root, parameters) {
  // `npm start` sets `npm_execpath` to the npm that runs this script; in other runs, the npm on the PATH is used.
  const script = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : null;
  const command = script ? process.execPath : 'npm';
  const { status, error, stderr } = spawnSync(command, script ? [script, ...parameters] : parameters, {
    cwd: root,
    encoding: 'utf8',
    // The error output of npm is only shown if the installation fails; its other output is never shown.
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: script === null && process.platform === 'win32',
  });
  if (status === 0) return;
  const ending = error ? error.message : `ended with ${status}`;
  const reason = (stderr ?? '').trim().split('\n').slice(-REASON_LINES).join('\n');
  throw new StartFailed(`Installing failed: npm ${parameters[0]} ${ending}.\n${reason}`.trimEnd());
}
