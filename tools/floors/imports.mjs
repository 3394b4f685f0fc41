import { dirname, normalize } from 'node:path/posix';
import { builtinModules } from 'node:module';
import { LEASES, levelOf, roomOf } from './rooms.mjs';

/**
 * @typedef {import('../source/tree.mjs').SourceFile} SourceFile
 * @typedef {import('../source/tree.mjs').Violation} Violation
 * @typedef {import('../source/imports.mjs').Import} Import
 * @typedef {import('./rooms.mjs').Room} Room
 * @typedef {import('./rooms.mjs').Lease} Lease
 * @typedef {{ rule: string, why: string }} Fault
 */

const WORKSPACE = /^@exchange\/([^/]+)\/(.+)$/;
const NODE_MODULES = new Set(builtinModules);

/**
 * The file an import leads to, as a path from the root; null for a package.
 * @param {string} from @param {string} specifier @returns {string | null}
 */
export function targetOf(from, specifier) {
  const plain = specifier.replace(/\?.*$/, '');
  if (plain.startsWith('.')) return normalize(`${dirname(from)}/${plain}`);
  const workspace = WORKSPACE.exec(plain);
  return workspace ? `packages/${workspace[1]}/src/${workspace[2]}` : null;
}

/** Judges every import of every file. @param {readonly SourceFile[]} sources @param {ReadonlySet<string>} files @returns {Violation[]} */
export function importViolations(sources, files) {
  return sources.flatMap((source) => {
    const room = roomOf(source.path);
    if (!room) return [{ file: source.path, line: 1, ...HOMELESS }];
    const faults = source.imports.flatMap((hit) =>
      faultsOf(source.path, room, hit, files).map((fault) => ({
        file: source.path,
        line: hit.line,
        ...fault,
      })),
    );
    const module = room.name.startsWith('module/') && levelOf(room.owner) === null;
    return module ? [...faults, { file: source.path, line: 1, ...unplaced(room.owner) }] : faults;
  });
}

const HOMELESS = { rule: 'no-room', why: 'lies in no room of the house, so nothing says what it may import' };

/** @param {string} module */
function unplaced(module) {
  return {
    rule: 'module-level',
    why: `module "${module}" has no level yet; give it one in the table of rooms`,
  };
}

/** @param {string} path @param {Room} room @param {Import} hit @param {ReadonlySet<string>} files @returns {Fault[]} */
function faultsOf(path, room, hit, files) {
  const target = targetOf(path, hit.specifier);
  const lease = LEASES[room.name];
  if (target === null)
    return lease && hit.kind !== 'address' ? packageFaults(room, lease, hit.specifier) : [];
  // An address may name a folder or a file that is only read; it is an import when it names a source.
  if (hit.kind === 'address' && !/\.tsx?$/.test(target)) return [];
  const shape = shapeFaults(path, room, hit.specifier, target, files);
  if (shape.length > 0 || !lease) return shape;
  return roomFaults(room, lease, hit, target);
}

/** @param {string} path @param {Room} room @param {string} specifier @param {string} target @param {ReadonlySet<string>} files @returns {Fault[]} */
function shapeFaults(path, room, specifier, target, files) {
  // Files beside the workspaces, such as package.json, are not listed.
  if (!/^(packages|apps|e2e|bench|tools)\//.test(target)) return [];
  if (!/\.[a-z0-9]+$/i.test(target)) {
    return [{ rule: 'extension', why: `'${specifier}' must carry its extension` }];
  }
  if (specifier.startsWith('.') && workspaceOf(path) !== workspaceOf(target) && room.name !== 'free') {
    return [{ rule: 'workspace', why: `'${specifier}' leaves its workspace; import it as @exchange/…` }];
  }
  return files.has(target) ? [] : [{ rule: 'unresolved', why: `'${specifier}' leads to no file` }];
}

/** @param {string} path */
function workspaceOf(path) {
  return path.split('/').slice(0, 2).join('/');
}

/** @param {Room} room @param {Lease} lease @param {string} specifier @returns {Fault[]} */
function packageFaults(room, lease, specifier) {
  const { only, except, node } = lease.packages;
  const fault = [{ rule: room.name, why: `imports ${specifier}: ${lease.why}` }];
  if (specifier.startsWith('node:') || NODE_MODULES.has(specifier)) {
    const name = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
    return node === true || (node !== false && node.includes(name)) ? [] : fault;
  }
  if (only && !only.some((pattern) => covers(pattern, specifier))) return fault;
  if (except?.some((pattern) => covers(pattern, specifier))) return fault;
  return [];
}

/** @param {string} pattern @param {string} specifier */
function covers(pattern, specifier) {
  if (pattern.endsWith('/*')) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}

/** @param {Room} room @param {Lease} lease @param {Import} hit @param {string} target @returns {Fault[]} */
function roomFaults(room, lease, hit, target) {
  const other = roomOf(target);
  if (!other) return [{ rule: room.name, why: `imports ${target}, which lies in no room` }];
  const permits = lease.permits.filter((permit) => permit.room === other.name);
  const fits = permits.filter((permit) => ownerFits(permit.owner, room.owner, other.owner));
  if (fits.some((permit) => !permit.typesOnly || hit.kind === 'type')) return [];
  if (fits.length > 0) {
    return [
      { rule: room.name, why: `imports ${target} at run time; only its types are allowed: ${lease.why}` },
    ];
  }
  return [refusal(room, other, lease, target, permits.length > 0)];
}

/** @param {Room} room @param {Room} other @param {Lease} lease @param {string} target @param {boolean} roomIsKnown @returns {Fault} */
function refusal(room, other, lease, target, roomIsKnown) {
  const betweenModules = room.name.startsWith('module/') && other.name.startsWith('module/');
  if (betweenModules && room.owner !== other.owner) {
    if (other.name !== 'module/door') {
      return { rule: 'module-door', why: `imports ${target}; enter "${other.owner}" by its index.ts only` };
    }
    if (roomIsKnown) {
      return { rule: 'module-level', why: `imports "${other.owner}", which is not below "${room.owner}"` };
    }
  }
  return { rule: room.name, why: `imports ${target}: ${lease.why}` };
}

/** @param {import('./rooms.mjs').Owner} owner @param {string} from @param {string} to */
function ownerFits(owner, from, to) {
  if (owner === 'any') return true;
  if (owner === 'own') return from === to;
  const [above, below] = [levelOf(from), levelOf(to)];
  return above !== null && below !== null && below < above;
}
