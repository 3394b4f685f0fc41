import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance } from 'fastify';

/** One file of the page on which the calls are read. */
export interface DocumentPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const PREFIX = '/docs';
const NAMED: readonly string[] = ['content-type', 'location', 'cache-control'];
/** The page has about a dozen files; whatever else might answer is not remembered. */
const PAGES_MAX = 100;

/**
 * The page on which the described calls are read, from memory: each file is made once, at its first request, by a server
 * inside this process that listens nowhere. Nothing of it touches the disk afterwards.
 */
export class DocumentPages {
  readonly #document: object;
  readonly #pages = new Map<string, Promise<DocumentPage>>();
  #maker: Promise<FastifyInstance> | undefined;

  constructor(document: object) {
    this.#document = document;
  }

  /** The file at a request's address; its query is of no meaning. */
  async find(url: string): Promise<DocumentPage> {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const known = this.#pages.get(path);
    if (known !== undefined) return known;
    const made = this.#make(path);
    if (this.#pages.size < PAGES_MAX) this.#pages.set(path, made);
    try {
      const page = await made;
      if (page.status >= 400) this.#pages.delete(path);
      return page;
    } catch (cause) {
      this.#pages.delete(path);
      throw cause;
    }
  }

  async close(): Promise<void> {
    await (await this.#maker)?.close();
  }

  async #make(url: string): Promise<DocumentPage> {
    this.#maker ??= makerOf(this.#document);
    const { statusCode: status, headers, rawPayload: body } = await (await this.#maker).inject({ url });
    const named = NAMED.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return { status, headers: Object.fromEntries(named), body };
  }
}

async function makerOf(document: object): Promise<FastifyInstance> {
  const maker = fastify({ logger: false });
  await maker.register(fastifySwagger, { mode: 'static', specification: { document: document as never } });
  await maker.register(fastifySwaggerUi, {
    routePrefix: PREFIX,
    uiConfig: {
      validatorUrl: null,
      deepLinking: false,
      docExpansion: 'none',
      // The usual layout has a bar with a drawing that carries a style element, which the policy of our pages forbids.
      layout: 'BaseLayout',
    },
    theme: { title: 'Amethyst API' },
  });
  return maker;
}
