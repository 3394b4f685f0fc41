import { dirname, normalize } from 'node:path/posix';
import { builtinModules } from 'node:module';
import { LAYERS, levelOf, layerOf } from './layers.mjs';

/**
 * @typedef {import('../source/tree.mjs').SourceFile} SourceFile
 * @typedef {import('../source/tree.mjs').Violation} Violation
 * @typedef {import('../source/imports.mjs').Import} Import
 * @typedef {import('./layers.mjs').Layer} Layer
 * @typedef {import('./layers.mjs').LayerRules} LayerRules
 * @typedef {{ rule: string, why: string }} Fault
 */

const WORKSPACE = /^@exchange\/([^/]+)\/(.+)$/;
const NODE_MODULES = new Set(builtinModules);

/**
 * Returns the file that an import resolves to, as a path from the repository's root. Returns null for a package.
 * @param {string} from @param {string} specifier @returns {string | null}
 */
export function targetOf(from, specifier) {
  const plain = specifier.replace(/\?.*$/, '');
  if (plain.startsWith('.')) return normalize(`${dirname(from)}/${plain}`);
  const workspace = WORKSPACE.exec(plain);
  return workspace ? `packages/${workspace[1]}/src/${workspace[2]}` : null;
}

/**
 * Returns a violation for each import that the rules of its file's layer forbid or that leads to no file, and for each
 * file without a layer. @param {readonly SourceFile[]} sources @param {ReadonlySet<string>} files @returns
 * {Violation[]}
 */
export function importViolations(sources, files) {
  return sources.flatMap((source) => {
    const layer = layerOf(source.path);
    if (!layer) return [{ file: source.path, line: 1, ...NO_LAYER }];
    const faults = source.imports.flatMap((hit) =>
      faultsOf(source.path, layer, hit, files).map((fault) => ({
        file: source.path,
        line: hit.line,
        ...fault,
      })),
    );
    const module = layer.name.startsWith('module/') && levelOf(layer.owner) === null;
    return module ? [...faults, { file: source.path, line: 1, ...moduleWithoutLevel(layer.owner) }] : faults;
  });
}

const NO_LAYER = { rule: 'no-room', why: 'belongs to no layer, so nothing says what it may import' };

/** Returns the fault of a server module that the table of levels lacks. @param {string} module */
function moduleWithoutLevel(module) {
  return {
    rule: 'module-level',
    why: `module "${module}" has no level yet; give it one in the table of layers`,
  };
}

/**
 * @param {string} path @param {Layer} layer @param {Import} hit @param {ReadonlySet<string>} files
 * @returns {Fault[]}
 */
function faultsOf(path, layer, hit, files) {
  const target = targetOf(path, hit.specifier);
  const rules = LAYERS[layer.name];
  if (target === null)
    return rules && hit.kind !== 'address' ? packageFaults(layer, rules, hit.specifier) : [];
  // `new URL(…)` can be the path of a folder or of a data file; it counts as an import only if it is the path of a
  // source file.
  if (hit.kind === 'address' && !/\.tsx?$/.test(target)) return [];
  const shape = shapeFaults(path, layer, hit.specifier, target, files);
  if (shape.length > 0 || !rules) return shape;
  return layerFaults(layer, rules, hit, target);
}

/**
 * Returns a fault if an import has no file extension, is a relative path into another workspace, or leads to no file.
 * @param {string} path @param {Layer} layer @param {string} specifier @param {string} target
 * @param {ReadonlySet<string>} files @returns {Fault[]}
 */
function shapeFaults(path, layer, specifier, target, files) {
  // Imports of files outside the workspaces, such as package.json, are not checked.
  if (!/^(packages|apps|e2e|bench|tools)\//.test(target)) return [];
  if (!/\.[a-z0-9]+$/i.test(target)) {
    return [{ rule: 'extension', why: `'${specifier}' must carry its extension` }];
  }
  if (specifier.startsWith('.') && workspaceOf(path) !== workspaceOf(target) && layer.name !== 'free') {
    return [{ rule: 'workspace', why: `'${specifier}' leaves its workspace; import it as @exchange/…` }];
  }
  return files.has(target) ? [] : [{ rule: 'unresolved', why: `'${specifier}' leads to no file` }];
}

/** Returns the folder of a file's workspace, such as `apps/server`. @param {string} path */
function workspaceOf(path) {
  return path.split('/').slice(0, 2).join('/');
}

/** @param {Layer} layer @param {LayerRules} rules @param {string} specifier @returns {Fault[]} */
function packageFaults(layer, rules, specifier) {
  const { only, except, node } = rules.packages;
  const fault = [{ rule: layer.name, why: `imports ${specifier}: ${rules.why}` }];
  if (specifier.startsWith('node:') || NODE_MODULES.has(specifier)) {
    const name = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
    return node === true || (node !== false && node.includes(name)) ? [] : fault;
  }
  if (only && !only.some((pattern) => covers(pattern, specifier))) return fault;
  if (except?.some((pattern) => covers(pattern, specifier))) return fault;
  return [];
}

/** Returns whether the pattern covers the package. @param {string} pattern @param {string} specifier */
function covers(pattern, specifier) {
  if (pattern.endsWith('/*')) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}

/**
 * Returns the fault of an import that the rules of the layer forbid; an empty list if it is allowed.
 * @param {Layer} layer @param {LayerRules} rules @param {Import} hit @param {string} target
 * @returns {Fault[]}
 */
function layerFaults(layer, rules, hit, target) {
  const targetLayer = layerOf(target);
  if (!targetLayer) return [{ rule: layer.name, why: `imports ${target}, which belongs to no layer` }];
  const imports = rules.imports.filter(({ layer: name }) => name === targetLayer.name);
  const fits = imports.filter(({ owner }) => ownerFits(owner, layer.owner, targetLayer.owner));
  if (fits.some(({ typesOnly }) => !typesOnly || hit.kind === 'type')) return [];
  if (fits.length > 0) {
    return [
      { rule: layer.name, why: `imports ${target} at run time; only its types are allowed: ${rules.why}` },
    ];
  }
  return [refusal(layer, targetLayer, rules, target, imports.length > 0)];
}

/**
 * Returns the fault of a forbidden import, with the reason why it is forbidden.
 * @param {Layer} layer @param {Layer} targetLayer @param {LayerRules} rules @param {string} target
 * @param {boolean} isLayerAllowed @returns {Fault}
 */
function refusal(layer, targetLayer, rules, target, isLayerAllowed) {
  const betweenModules = layer.name.startsWith('module/') && targetLayer.name.startsWith('module/');
  if (betweenModules && layer.owner !== targetLayer.owner) {
    if (targetLayer.name !== 'module/door') {
      return {
        rule: 'module-door',
        why: `imports ${target}; enter "${targetLayer.owner}" by its index.ts only`,
      };
    }
    if (isLayerAllowed) {
      return {
        rule: 'module-level',
        why: `imports "${targetLayer.owner}", which is not below "${layer.owner}"`,
      };
    }
  }
  return { rule: layer.name, why: `imports ${target}: ${rules.why}` };
}

/**
 * Returns whether a rule with this `owner` allows files of the owner `from`, such as a module, to import files of the
 * owner `to`. @param {import('./layers.mjs').Owner} owner @param {string} from @param {string} to
 */
function ownerFits(owner, from, to) {
  if (owner === 'any') return true;
  if (owner === 'own') return from === to;
  const [above, below] = [levelOf(from), levelOf(to)];
  return above !== null && below !== null && below < above;
}
