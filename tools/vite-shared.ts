import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { ProxyOptions, UserConfig } from 'vite';
import { firstPaintScript, type FirstShapes } from './first-paint.ts';
import { sharedChunks } from './shared-chunks.ts';

/** Below 18 months of age in every browser we test; BigInt, `toSorted` and `Intl` on exact decimals are native. */
const MODERN_BROWSERS = ['chrome120', 'edge120', 'firefox121', 'safari17.2'];

/** The lazy parts of a site's first screen. */
const FIRST_SCREEN = /\/(?:home-screen|home-board)\.tsx$/;

/**
 * Settings of an app for browsers: hashed files, nothing inline (the pages allow scripts from our origin only, and
 * no `data:` addresses), a manifest for the bundle budget, and the notices of everything bundled.
 * `base` is the path the app is served under, with a slash at both ends; `shapes` are the kinds of first shape that its
 * page has, for a site whose page has any.
 */
export function browserApp(root: string, base: string, shapes?: FirstShapes): UserConfig {
  return {
    root,
    base,
    plugins: shapes === undefined ? [react()] : [react(), firstPaintScript(base, shapes)],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: MODERN_BROWSERS,
      manifest: true,
      license: { fileName: 'third-party-licenses.md' },
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      // What every first screen needs is one file; its compressed size is held by the bundle budget.
      chunkSizeWarningLimit: 800,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              {
                // Dozens of small files otherwise: one is fewer requests, and compresses better.
                name: 'base',
                tags: ['$initial'],
                test: /^(?!.*\/src\/main\.tsx$)/,
              },
              {
                name: sharedChunks(FIRST_SCREEN),
                debugName: 'shared',
                // The plan has no circle of chunks as long as each module stays where the plan has it.
                includeDependenciesRecursively: false,
              },
              {
                // Each icon is a module, which the plan does not see behind the library's index.
                name: 'icons',
                test: /\/node_modules\/lucide-react\//,
                entriesAware: true,
                entriesAwareMergeThreshold: 1_000,
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

/** Forwards calls and sockets of a page under development to the server's port, which sees its own name as their origin. */
function forwardedTo(port: string): ProxyOptions {
  const target = `http://127.0.0.1:${port}`;
  return {
    target,
    ws: true,
    changeOrigin: true,
    headers: { origin: target },
  };
}

/** Every command by its name, so that an image without sources has them too. */
function commandsOf(root: string): Record<string, string> {
  const files = readdirSync(join(root, 'src/commands')).filter((file) => file.endsWith('.ts'));
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), `src/commands/${file}`]));
}

/** Settings of the server and its commands, with source maps; npm packages stay outside, our workspaces come in. */
export function serverApp(root: string): UserConfig {
  return {
    root,
    ssr: { noExternal: [/^@exchange\//] },
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
