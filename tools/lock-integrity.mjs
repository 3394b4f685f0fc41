/**
 * Checks that the lockfiles contain a hash of every package, and that each package comes from a registry and not over
 * plain HTTP.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStartedAs, report, repositoryRoot } from './source/report.mjs';

/**
 * The lockfiles that are checked: that of the exchange, and that of the client libraries that tests run against the
 * exchange.
 */
const LOCKFILES = ['package-lock.json', 'tools/clients/package-lock.json'];
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** @param {string} root a repository's folder @returns {import('./source/tree.mjs').Violation[]} */
export function lockViolations(root) {
  return LOCKFILES.filter((file) => existsSync(join(root, file))).flatMap((file) => violationsIn(root, file));
}

/**
 * Returns a violation for each fault of an entry in the lockfile `file`.
 * @param {string} root @param {string} file @returns {import('./source/tree.mjs').Violation[]}
 */
function violationsIn(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const lock = JSON.parse(text);
  const lines = text.split('\n');
  return Object.entries(lock.packages ?? {}).flatMap(([path, entry]) =>
    faultsOf(path, entry).map((why) => ({
      file,
      line: lines.findIndex((line) => line.trimStart().startsWith(`${JSON.stringify(path)}: {`)) + 1,
      rule: 'lock-integrity',
      why: `${path}: ${why}`,
    })),
  );
}

/**
 * Returns the faults of a entry of a lockfile: no SHA-512 hash, or a source that is not an HTTPS registry.
 * @param {string} path @param {{ link?: boolean, integrity?: string, resolved?: string }} entry
 * @returns {string[]}
 */
function faultsOf(path, entry) {
  const isInstalled = path.includes('node_modules/');
  if (!isInstalled || entry.link) return [];
  const faults = [];
  if (!SHA512.test(entry.integrity ?? '')) faults.push('has no sha512 integrity');
  if (entry.resolved?.startsWith('http:')) faults.push('is fetched over plain http');
  if (/^(git|file|ssh)/.test(entry.resolved ?? ''))
    faults.push(`comes from ${entry.resolved}, not from a registry`);
  return faults;
}

if (isStartedAs(import.meta.url)) report('lockfile', lockViolations(repositoryRoot));
