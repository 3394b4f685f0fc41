import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FILE = fileURLToPath(new URL('litecoind.mjs', import.meta.url));

it('UTXO-041 without a node of Litecoin the proofs fail, and the tests of a change are skipped', () => {
  // With an empty search path there is neither the node nor a program that could install it.
  const run = (...parameters: string[]) =>
    spawnSync(process.execPath, [FILE, ...parameters], { env: { PATH: '' }, encoding: 'utf8' });
  const [proof, test] = [run('--prove'), run()];
  expect(proof.stdout).toContain('Tests against a node of Litecoin are skipped');
  expect([proof.status, test.status]).toEqual([1, 0]);
});
