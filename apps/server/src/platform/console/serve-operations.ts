import { fillWords } from '@exchange/core/locale.ts';
import { Refused, type Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_WORDS } from '@exchange/wire/words/refusals.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeForm, type FormFields } from '../http/form.ts';
import { CONTENT_TYPES } from '../http/page.ts';
import type { Log } from '../log.ts';
import { OperatorPicture, ROLES, type Operation, type Operator } from './operation.ts';
import { carriesToken } from './operator-token.ts';

const FORM = 'application/x-www-form-urlencoded';
const ONE_PERSON = '{"error":"This needs a second person: send their token in the header X-Approver-Token."}';
const BODY_BYTES_MAX = 4_096;
const NO_FIELDS: FormFields = {};

interface Options {
  readonly operations: readonly Operation[];
  /** Undefined: there is no operator, and the operations do not exist. */
  readonly operatorToken: string | undefined;
  /** That of the second person; without it nobody approves. */
  readonly approverToken: string | undefined;
  readonly mode: string;
  readonly log: Log;
  readonly headers: Readonly<Record<string, string>>;
}

/** Puts what operators may do on the console's port, for those who have the token and nobody's page but its own. */
export function serveOperations(app: FastifyInstance, options: Options): void {
  app.addContentTypeParser(FORM, { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) =>
    done(null, body),
  );
  for (const operation of options.operations) {
    app.route({
      method: operation.method,
      url: operation.path,
      handler: (request, reply) => answer(operation, options, request, reply),
    });
  }
}

async function answer(
  operation: Operation,
  { operatorToken, approverToken, mode, log, headers }: Options,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers({ ...headers, 'content-type': CONTENT_TYPES.json });
  if (operatorToken === undefined) return reply.code(404).send('{"error":"There is no operator here."}');
  if (!isSameOrigin(request)) return reply.code(403).send('{"error":"Not from another page."}');
  if (!carriesToken(request.headers.authorization, operatorToken)) {
    log.warn('operator.refused', { path: operation.path, address: request.ip });
    return reply.code(401).header('www-authenticate', 'Bearer').send('{"error":"The token is not right."}');
  }
  try {
    const parameters = request.params as Readonly<Record<string, string>>;
    const fields = fieldsOf(request);
    // One token for all operators: who it was is what they say, and that it was one of them is certain.
    const name = fields['by'] === undefined ? 'operator' : `operator ${fields['by']}`;
    const operator = { name, roles: ROLES, ...approvalOf(request, approverToken, fields) };
    if (operation.needsApproval?.({ parameters, fields }) === true && operator.approvedBy === undefined) {
      // A demo may be tried by one alone; where money is real, nobody may.
      if (mode !== 'demo') return await reply.code(403).send(ONE_PERSON);
      log.warn('operator.alone', { path: operation.path, name });
    }
    const result = await operation.run({ parameters, fields, operator });
    if (result instanceof OperatorPicture)
      return await reply.header('content-type', 'image/jpeg').send(result.jpeg);
    return await reply.send(JSON.stringify(result));
  } catch (cause) {
    if (cause instanceof Refused) return reply.code(400).send(refusalText(cause.refusal));
    log.error('operator.failed', { path: operation.path, cause });
    return reply.code(500).send('{"error":"It failed; the log says why."}');
  }
}

/** Who has approved the call, where it carries the second person's token. */
function approvalOf(
  { headers }: FastifyRequest,
  token: string | undefined,
  { approvedBy }: FormFields,
): Pick<Operator, 'approvedBy'> {
  const given = headers['x-approver-token'];
  if (token === undefined || typeof given !== 'string' || !carriesToken(`Bearer ${given}`, token)) return {};
  return { approvedBy: approvedBy === undefined ? 'approver' : `approver ${approvedBy}` };
}

/** Browsers say where a request comes from; what is no browser says nothing and is known by its token alone. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site') return false;
  return origin === undefined || origin.replace(/^https?:\/\//, '') === host;
}

function fieldsOf({ body }: FastifyRequest): FormFields {
  if (!Buffer.isBuffer(body)) return NO_FIELDS;
  const decoded = decodeForm(body);
  if (!decoded.ok) throw new Refused(decoded.refusal);
  return decoded.value;
}

function refusalText({ key, parameters }: Refusal): string {
  return JSON.stringify({
    error: fillWords(REFUSAL_WORDS['en-US'][key], parameters, 'en-US'),
    key,
    field: parameters['field'],
  });
}
