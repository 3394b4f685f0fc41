import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs a stand-alone verifier of `tools/verify` over files with the given contents. Returns the verdict and output of
 * the verifier.
 */
export function runVerifier(
  tool: 'verify' | 'fund' | 'subscription' | 'proofs',
  files: Readonly<Record<string, unknown>>,
): { readonly isValid: boolean; readonly output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'amethyst-verified-'));
  try {
    const paths = Object.entries(files).map(([name, content]) => {
      const path = join(folder, name);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    });
    const program = fileURLToPath(new URL(`../../../tools/verify/${tool}.mjs`, import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...paths], { encoding: 'utf8' });
    return { isValid: status === 0, output: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
