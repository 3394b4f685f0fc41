import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance } from 'fastify';

/** Answer to a request for a file of the API documentation page. */
export interface DocumentPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const PREFIX = '/docs';
const FORWARDED_HEADERS: readonly string[] = ['content-type', 'location', 'cache-control'];
/** Maximum number of cached files. The documentation page consists of about a dozen files. */
const PAGES_MAX = 100;

/**
 * Serves the files of the API documentation page. A file is rendered at its first request, by a server inside this
 * process that listens on no port, and then served from memory.
 */
export class DocumentPages {
  readonly #document: object;
  readonly #pages = new Map<string, Promise<DocumentPage>>();
  #renderer: Promise<FastifyInstance> | undefined;

  constructor(document: object) {
    this.#document = document;
  }

  /**
   * Answers a request for a URL below `/docs`, ignoring its query. The status is 404 for an unknown file. Pages with an
   * error status are not stored, and no further page is stored beyond `PAGES_MAX`.
   */
  async find(url: string): Promise<DocumentPage> {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const cachedPage = this.#pages.get(path);
    if (cachedPage !== undefined) return cachedPage;
    const renderedPage = this.#render(path);
    if (this.#pages.size < PAGES_MAX) this.#pages.set(path, renderedPage);
    try {
      const page = await renderedPage;
      if (page.status >= 400) this.#pages.delete(path);
      return page;
    } catch (cause) {
      this.#pages.delete(path);
      throw cause;
    }
  }

  async close(): Promise<void> {
    await (await this.#renderer)?.close();
  }

  async #render(url: string): Promise<DocumentPage> {
    this.#renderer ??= rendererOf(this.#document);
    const { statusCode: status, headers, rawPayload: body } = await (await this.#renderer).inject({ url });
    const forwarded = FORWARDED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return { status, headers: Object.fromEntries(forwarded), body };
  }
}

async function rendererOf(document: object): Promise<FastifyInstance> {
  const renderer = fastify({ logger: false });
  await renderer.register(fastifySwagger, { mode: 'static', specification: { document: document as never } });
  await renderer.register(fastifySwaggerUi, {
    routePrefix: PREFIX,
    uiConfig: {
      validatorUrl: null,
      deepLinking: false,
      docExpansion: 'none',
      // The viewer's default layout is not used, because it contains an inline style element, which the
      // content security policy forbids.
      layout: 'BaseLayout',
    },
    theme: { title: 'Amethyst API' },
  });
  return renderer;
}
