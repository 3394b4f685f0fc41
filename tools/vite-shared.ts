import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { ProxyOptions, UserConfig } from 'vite';
import { firstPaintScript, type ScreenPlaceholders } from './first-paint.ts';
import { leanScripts } from './lean-scripts.ts';
import { iconChunks, sharedChunks } from './shared-chunks.ts';

/**
 * The oldest browser versions that the apps support; they support BigInt, `toSorted`, and `Intl` with exact decimals.
 */
const MODERN_BROWSERS = ['chrome120', 'edge120', 'firefox121', 'safari17.2'];

/**
 * The npm packages that `packages/core` uses. They are bundled into the server and the verifiers, because other
 * packages may have installed other versions of them.
 */
export const PACKAGES_OF_CORE = [/^@noble\/hashes/, /^@scure\/base/];

/**
 * npm packages of the server that consist of hundreds of modules. They are bundled into a few files, because finding,
 * reading and linking each of these modules would take a tenth of the server's start time.
 */
const PACKAGES_OF_MANY_FILES = ['kysely', 'zod'];

/**
 * npm packages that verify passkeys. They are bundled, because loading the bundle at the first passkey blocks the
 * process for only a quarter of the time that loading the unbundled files would take.
 */
const PACKAGES_OF_PASSKEYS = [
  '@simplewebauthn/server',
  '@hexagon/base64',
  '@levischuck/tiny-cbor',
  /^@peculiar\//,
  'asn1js',
  'pvtsutils',
  'pvutils',
  'reflect-metadata',
  'tslib',
  'tsyringe',
];

/** Matches the lazily loaded modules that a site always loads with its first screen. */
const FIRST_SCREEN = /\/(?:home-screen|home-board|load-user|order-link)\.tsx?$/;

/**
 * Returns the Vite settings of a browser app: hashed file names, nothing inline (the content security policy only
 * allows scripts from our origin and no `data:` addresses), a manifest for the bundle budget, and the licenses of all
 * bundled packages. `base` is the path under which the app is served, with a slash at both ends. `shapes` are the
 * loading placeholders of the page, if it has any.
 */
export function browserApp(root: string, base: string, shapes?: ScreenPlaceholders): UserConfig {
  return {
    root,
    base,
    plugins: [react(), leanScripts(), ...(shapes === undefined ? [] : [firstPaintScript(base, shapes)])],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: MODERN_BROWSERS,
      manifest: true,
      license: { fileName: 'third-party-licenses.md' },
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      // The size at which the bundler warns is raised, because all code that every first screen needs is in one file;
      // the bundle budget limits the compressed size of that file.
      chunkSizeWarningLimit: 800,
      rolldownOptions: {
        output: {
          chunkFileNames: 'assets/[name]-[hash].js',
          codeSplitting: {
            groups: [
              {
                // A single file for the code of the first screen needs fewer requests than dozens of small files, and
                // compresses better.
                name: 'base',
                tags: ['$initial'],
                test: /^(?!.*\/src\/main\.tsx$)/,
              },
              {
                name: sharedChunks(FIRST_SCREEN),
                debugName: 'shared',
                // A module's dependencies are not moved into its chunk: the planned chunks have no import cycle as long
                // as each module stays in its planned chunk.
                includeDependenciesRecursively: false,
              },
              {
                name: iconChunks(FIRST_SCREEN),
                debugName: 'icons',
                test: /\/node_modules\/lucide-react\//,
              },
            ],
          },
        },
      },
    },
    server: {
      proxy: {
        '/bb/app': forwardedTo(process.env['PORT'] ?? '3000'),
        '^/ops/(?!app/)': forwardedTo(process.env['CONSOLE_PORT'] ?? '3001'),
      },
    },
  };
}

/**
 * Forwards API requests and WebSockets of a development page to the server. The header `Origin` is changed so that the
 * server accepts them.
 */
function forwardedTo(port: string): ProxyOptions {
  const target = `http://127.0.0.1:${port}`;
  return {
    target,
    ws: true,
    changeOrigin: true,
    headers: { origin: target },
  };
}

/**
 * Returns the entries of the server's commands by name. Every command is a separate entry, so that an image without
 * sources contains all commands.
 */
function commandsOf(root: string): Record<string, string> {
  const files = readdirSync(join(root, 'src/commands')).filter((file) => file.endsWith('.ts'));
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), `src/commands/${file}`]));
}

/**
 * Returns the Vite settings of the server and its commands, with source maps. The project's workspaces, the packages of
 * `core`, the packages with many files and those for passkeys are bundled. Other npm packages are not bundled.
 */
export function serverApp(root: string): UserConfig {
  return {
    root,
    ssr: {
      noExternal: [/^@exchange\//, ...PACKAGES_OF_CORE, ...PACKAGES_OF_MANY_FILES, ...PACKAGES_OF_PASSKEYS],
    },
    build: {
      ssr: true,
      outDir: 'dist',
      emptyOutDir: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: {
          main: 'src/main.ts',
          'index-worker': 'src/modules/market/index-worker.ts',
          ...commandsOf(root),
        },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'shared/[name]-[hash].js',
          format: 'es',
        },
      },
    },
  };
}
