import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { PACKAGES_OF_CORE } from './vite-shared.ts';

const FOLDER = join(import.meta.dirname, 'verify');
/** The programs in `tools/verify` that users can download from the site as `/verify/NAME.mjs`. */
const DOWNLOADS = ['verify', 'proofs', 'stamp', 'books'] as const;

/**
 * Bundles a program of `tools/verify` into a single file that needs nothing but Node.js; resolves to the source of this
 * file. Rejects if there is no program with that name.
 */
export async function verifierSource(name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: [/^@exchange\//, ...PACKAGES_OF_CORE] },
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

/** Adds the programs in `DOWNLOADS` to the build, at the paths to which pages link, such as `/verify/verify.mjs`. */
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
