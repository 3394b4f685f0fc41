import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SUCCESS } from '@exchange/wire/codes.ts';
import type { Charge } from '@exchange/wire/endpoint.ts';
import { inLane } from '../database/lanes.ts';
import { ADMISSION_LIMITS } from '../http/admission.ts';
import { refusalAnswer, type Answer } from '../http/envelope.ts';
import type { FormFields } from '../http/form.ts';
import type { FileAnswer } from '../http/file-answer.ts';
import type { IdentifiedCall, ServedCall } from '../http/identified-call.ts';
import type { MountedApi, MountedRequest } from '../http/mounted-api.ts';
import { CONTENT_TYPES, type Page } from '../http/page.ts';
import type { Session } from '../http/route.ts';
import { acceptedServer, rateLimited, type EdgeParts, type ServeAccepted } from '../http/serve-route.ts';
import { addressGroup } from '../limits/address-group.ts';
import { Slots } from '../limits/places.ts';
import type { CommandContext, ServeCommand, ServedFile } from './command-receiver.ts';
import {
  bytesOfField,
  type ApiCommand,
  type CallCommand,
  type CallSharer,
  type PageCommand,
  type SharerAnswer,
  type TextAnswer,
} from './commands.ts';

export interface ExecutedCommandsOptions {
  /** The services that are needed to serve calls: rate limits, metrics and the log. */
  readonly served: Pick<EdgeParts, 'clock' | 'log' | 'limits' | 'metrics'>;
  readonly calls: readonly ServedCall[];
  readonly apis: readonly MountedApi[];
  readonly pages: readonly Page[];
  /** Called with the session of each served call, because the API node does not record its use. */
  readonly sessionUsed: (session: Session) => void;
}

/** An endpoint as this process executes it for API nodes. */
interface Executed {
  readonly serve: ServeAccepted;
  /** Rate limit and weight of a call; a weight that depends on the fields is not included. */
  readonly charge: Charge;
}

const NOT_FOUND = refusal('generic', 'l.not_found');

/**
 * Returns a function that executes commands of API nodes at the writer. It finds the called endpoint, API or page of a
 * command, charges the rate limits of the whole cluster, and serves the command like a request to this process. It
 * throws for a command of an unknown kind.
 */
export function executedCommands(options: ExecutedCommandsOptions): ServeCommand {
  const { served, calls, apis, pages } = options;
  const heavy = new Slots(ADMISSION_LIMITS.heavy);
  const servers = new Map(
    calls.map((call) => {
      const executed = { serve: acceptedServer(call, served), charge: call.endpoint.charge };
      return [callNameOf(call), executed] as const;
    }),
  );
  const apisByPrefix = apis.flatMap((api) => api.prefixes.map((prefix) => [`${prefix}/`, api] as const));
  const pagesByPath = new Map(pages.map((page) => [page.path, page]));
  return (command, context) =>
    inLane('requests', async () => {
      switch (command.kind) {
        case 'call':
          return serveCall(command, context, { executed: servers.get(command.call), heavy, options });
        case 'api': {
          const api = apisByPrefix.find(([prefix]) => command.path.startsWith(prefix))?.[1];
          return api === undefined ? unknownApi() : serveApi(command, api);
        }
        case 'page':
          return servePage(command, pagesByPath.get(command.path));
        default:
          throw new Error('a command of another version');
      }
    });
}

/** Returns the name of an endpoint in commands: its method and path. */
export function callNameOf({ endpoint }: Pick<ServedCall, 'endpoint'>): string {
  return `${endpoint.method} ${endpoint.path}`;
}

async function serveCall(
  command: CallCommand,
  { isRepeated, traceparent }: CommandContext,
  {
    executed,
    heavy,
    options,
  }: {
    readonly executed: Executed | undefined;
    readonly heavy: Slots;
    readonly options: ExecutedCommandsOptions;
  },
): Promise<TextAnswer | ServedFile> {
  const call = identifiedCall(command, traceparent);
  // An API node of a newer version may send calls to endpoints that this version does not have. They are
  // refused with status 404.
  if (executed === undefined) {
    const stamp = { ts: options.served.clock.now(), traceId: call.traceId };
    return textAnswer(refusalAnswer(NOT_FOUND, call.locale, stamp, false, 404));
  }
  if (call.session !== undefined) options.sessionUsed(call.session);
  let release: () => void = () => undefined;
  const enterHeavy = async (group: string) => {
    const entering = heavy.enter(group);
    if (entering === undefined) throw new Refused(rateLimited(1));
    release = await entering;
  };
  const answer = await executed.serve(call, { isRepeated, enterHeavy });
  if (!('body' in answer)) return servedFile(answer, release);
  release();
  const text = textAnswer(answer);
  const { sharers } = command;
  if (sharers === undefined || answer.code !== SUCCESS) return text;
  return Object.assign(text, {
    sharers: sharers.map((sharer) => sharerAnswer(sharer, { isRepeated, charge: executed.charge, options })),
  });
}

/** Charges a caller that shares the answer of another, and records the use of its session. */
function sharerAnswer(
  { session, address }: CallSharer,
  {
    isRepeated,
    charge,
    options,
  }: {
    readonly isRepeated: boolean;
    readonly charge: Charge;
    readonly options: ExecutedCommandsOptions;
  },
): SharerAnswer {
  if (session !== undefined) options.sessionUsed(session);
  if (isRepeated) return {};
  const caller = { addressGroup: addressGroup(address), userId: session?.userId };
  const waitSeconds = options.served.limits.charge(charge, caller);
  return waitSeconds > 0 ? { waitSeconds } : {};
}

function identifiedCall(command: CallCommand, traceparent: string): IdentifiedCall {
  const { session, locale, address, userAgent, traceId, sentKey, fields, file } = command;
  const sentFields = Object.create(null) as FormFields;
  for (const [name, value] of Object.entries(fields)) sentFields[name] = value;
  return {
    session,
    locale,
    address,
    userAgent,
    traceId,
    traceparent,
    sentKey,
    fields: sentFields,
    file: file === undefined ? undefined : bytesOfField(file),
  };
}

function textAnswer({ status, code, body, retryAfter }: Answer): TextAnswer {
  return { status, code, body, retryAfter };
}

function servedFile({ code, file }: FileAnswer, release: () => void): ServedFile {
  const { name, type, first, rest } = file;
  return { head: { code, name, type }, first, rest: releasedAtEnd(rest, release) };
}

async function* releasedAtEnd(
  parts: AsyncGenerator<string | Buffer, void>,
  release: () => void,
): AsyncGenerator<string | Buffer, void> {
  try {
    yield* parts;
  } finally {
    release();
  }
}

async function serveApi(command: ApiCommand, api: MountedApi): Promise<TextAnswer> {
  const { method, path, query, body, headers, address, sharers } = command;
  const request: MountedRequest = {
    method,
    path,
    query,
    body: bytesOfField(body),
    headers,
    address,
    addressGroup: command.addressGroup,
  };
  const answer = await api.serve(request);
  const text: TextAnswer = { status: answer.status, code: 0, body: answer.body, headers: answer.headers };
  if (sharers === undefined || answer.status !== 200 || api.sharing === undefined) return text;
  return Object.assign(text, { sharers: sharers.map(api.sharing(request)) });
}

function unknownApi(): TextAnswer {
  return { status: 404, code: 0, body: '', headers: { 'content-type': CONTENT_TYPES.text } };
}

async function servePage({ query }: PageCommand, page: Page | undefined): Promise<TextAnswer> {
  if (page === undefined) return { status: 404, code: 0, body: 'Not found.\n', type: 'text' };
  const { status = 200, type, body } = await page.serve(new URLSearchParams(query));
  return { status, code: 0, body, type };
}
