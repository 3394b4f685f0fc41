import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const FOLDER = join(import.meta.dirname, 'verify');
/** The programs under `tools/verify` that the site offers for download, by their paths on the site. */
const DOWNLOADS = ['verify', 'proofs'] as const;

/**
 * Bundles a verifier of `tools/verify` into one file that Node.js runs without anything else beside it.
 * Returns its source; rejects where there is no verifier of that name.
 */
export async function verifierSource(name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: join(FOLDER, `${name}.mjs`),
      write: false,
      minify: false,
      target: 'node22',
    },
  });
  if (!('output' in result)) throw new Error(`The verifier ${name} was not bundled into one output.`);
  return result.output[0].code;
}

/** Puts the verifiers where the pages link to them: `/verify/verify.mjs`. */
export function verifiers(): Plugin {
  return {
    name: 'verifiers',
    apply: 'build',
    async generateBundle() {
      for (const name of DOWNLOADS)
        this.emitFile({
          type: 'asset',
          fileName: `verify/${name}.mjs`,
          source: await verifierSource(name),
        });
    },
  };
}
