import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plantedTree } from './testing/planted-tree.ts';
import { verifierSource } from './verifiers.ts';

it.each(['verify', 'proofs', 'books'])(
  'HELP-024 the verifier %s of the site runs without other files and refuses an empty proof',
  async (name) => {
    const tree = plantedTree({ [`${name}.mjs`]: await verifierSource(name), 'proof.json': '{}' });
    const file = (path: string) => join(tree, path);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [file(`${name}.mjs`), file('proof.json')],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).not.toContain('ERR_MODULE_NOT_FOUND');
    expect(`${stdout}${stderr}`).toContain('proof.json');
    expect(status).toBe(1);
  },
);
