import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { localeOfRequest } from '../http/caller.ts';
import { pageHeaders } from '../http/security-headers.ts';
import { answerOfFile, MemoryFiles, type MemoryFile } from './memory-files.ts';
import { buildOf, earlierFiles, HASHED_FOLDER, type SiteDirectories } from './stored-builds.ts';
import { pageWords, titleAt, withWords } from './screens.ts';
import { CHOICE_DEPENDS_ON, choiceCookie, destinationOf, placeOf, type Site } from './site-choice.ts';

export interface SitesOptions {
  /** Folders of the desktop and the mobile site after the build. */
  readonly directories: SiteDirectories;
  /**
   * Folder of earlier builds of the sites. Tabs that were opened before a deployment still load hashed files
   * of these builds. Undefined if no earlier builds are served.
   */
  readonly buildsDirectory?: string;
  readonly publicUrl: string | undefined;
  /** URL of the live chat, which the sites' pages may show in an iframe; undefined without a live chat. */
  readonly chatUrl?: string | undefined;
  /** Listed pairs as named in links, e.g. `BTC_USDT`. */
  readonly listedPairs: ReadonlySet<string>;
}

/** Response header with the build's id, by which an old tab detects a newer build. */
const BUILD_HEADER = 'x-build';
const FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/**
 * Serves the desktop site below `/pc` and the mobile site below `/`. A file is served by its exact name, precompressed
 * if the client accepts this. Any other page visit gets the index page with the texts of its screen (with status 404
 * for an unknown screen) or a redirect (see `destinationOf`). A request for a missing file gets a plain 404.
 */
export function registerSites(app: FastifyInstance, options: SitesOptions): void {
  const desktopFiles = new MemoryFiles(options.directories.desktop);
  const mobileFiles = new MemoryFiles(options.directories.mobile);
  const build = buildOf([...desktopFiles.names(), ...mobileFiles.names()]);
  const earlierOf = (site: Site) =>
    options.buildsDirectory === undefined ? [] : earlierFiles(options.buildsDirectory, site, build);
  const desktop = new BuiltSite('desktop', desktopFiles, earlierOf('desktop'), build);
  const mobile = new BuiltSite('mobile', mobileFiles, earlierOf('mobile'), build);
  if (build !== undefined)
    app.addHook('onRequest', (_request, reply, done) => {
      void reply.header(BUILD_HEADER, build);
      done();
    });
  const headers = pageHeaders(options.publicUrl, options.chatUrl);
  app.setNotFoundHandler((_request, reply) => notFound(reply, headers));
  const parts = { ...options, headers };
  for (const url of ['/pc', '/pc/*']) registerSite(app, url, desktop, parts);
  registerSite(app, '/*', mobile, parts);
}

type Headers = Readonly<Record<string, string>>;

type SiteParts = SitesOptions & { readonly headers: Headers };

function registerSite(app: FastifyInstance, url: string, site: BuiltSite, parts: SiteParts): void {
  const { headers } = parts;
  app.route<{ Params: { '*'?: string } }>({
    method: ['GET', 'HEAD'],
    url,
    handler: (request, reply) => {
      const name = request.params['*'] ?? '';
      const file = site.find(name);
      if (file !== undefined) return sendFile(request, reply, file, headers);
      return isNavigation(request, name)
        ? sendFirstPage(request, reply, site, parts)
        : notFound(reply, headers);
    },
  });
}

function sendFirstPage(
  request: FastifyRequest,
  reply: FastifyReply,
  site: BuiltSite,
  { headers, publicUrl, listedPairs }: SiteParts,
): FastifyReply {
  const { location, remembered } = destinationOf({
    url: request.url,
    userAgent: request.headers['user-agent'],
    mobileHint: headerText(request.headers['sec-ch-ua-mobile']),
    cookie: request.headers.cookie,
  });
  const vary = `${CHOICE_DEPENDS_ON}, Accept-Language`;
  if (remembered !== undefined) void reply.header('set-cookie', choiceCookie(remembered));
  if (location !== undefined)
    return reply.headers({ ...headers, vary, 'cache-control': 'no-store' }).redirect(location, 302);
  if (site.firstPage !== undefined) {
    const { pathname, searchParams } = placeOf(request.url);
    const locale = localeOfRequest(request.raw);
    const screen = titleAt(pathname);
    const words = pageWords(screen, searchParams, locale, listedPairs);
    const base = publicUrl ?? hostUrl(request.headers.host);
    const url = base === undefined ? undefined : base + pathname + words.query;
    return reply
      .code(screen === undefined ? 404 : 200)
      .headers({ ...headers, vary, 'cache-control': REVALIDATE })
      .type('text/html; charset=utf-8')
      .send(withWords(site.firstPage, words, url, locale));
  }
  return reply
    .code(404)
    .headers(headers)
    .type('text/plain; charset=utf-8')
    .send(`The ${site.name} site is not built: run "npm run build".\n`);
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: MemoryFile,
  headers: Headers,
): FastifyReply {
  const cache = file.name.startsWith(HASHED_FOLDER) ? FOREVER : REVALIDATE;
  const { status, body, headers: ownHeaders } = answerOfFile(file, request.headers);
  return reply.code(status).headers(headers).headers(ownHeaders).header('cache-control', cache).send(body);
}

function notFound(reply: FastifyReply, headers: Headers): FastifyReply {
  return reply.code(404).headers(headers).type('text/plain; charset=utf-8').send('Not found.\n');
}

/** Returns this server's URL with the host of the `Host` header; undefined if the header is missing or malformed. */
function hostUrl(host: string | undefined): string | undefined {
  return host !== undefined && /^[\w.:[\]-]{1,255}$/.test(host) ? `http://${host}` : undefined;
}

/**
 * Returns whether the request opens a page, in contrast to a request for a missing picture or script. A path
 * with a file extension never does, and the site's root always does. Requests that accept any type or have no
 * `Accept` header count as page visits, because link previews and command line tools send these.
 */
function isNavigation(request: FastifyRequest, name: string): boolean {
  if (/\.[a-z0-9]{1,11}$/i.test(name)) return false;
  const { accept } = request.headers;
  return name === '' || accept === undefined || /\btext\/html\b|\*\/\*/.test(accept);
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/**
 * A site's files of the current build and the hashed files of earlier builds, as read at the server's start.
 */
class BuiltSite {
  readonly name: Site;
  /** Content of the site's index page with the build's id inserted; undefined if the site is not built. */
  readonly firstPage: string | undefined;
  readonly #files: MemoryFiles;
  readonly #earlier: readonly MemoryFiles[];

  constructor(name: Site, files: MemoryFiles, earlier: readonly MemoryFiles[], build: string | undefined) {
    this.name = name;
    this.#files = files;
    this.#earlier = earlier;
    const page = files.find('index.html')?.plain.toString('utf8');
    this.firstPage = page?.replace('</head>', `<meta name="build" content="${build ?? ''}" /></head>`);
  }

  /** Finds a file of this build, or a hashed file of an earlier build; undefined if there is neither. */
  find(name: string): MemoryFile | undefined {
    const file = this.#files.find(name);
    if (file !== undefined || !name.startsWith(HASHED_FOLDER)) return file;
    for (const files of this.#earlier) {
      const earlier = files.find(name);
      if (earlier !== undefined) return earlier;
    }
    return undefined;
  }
}
