import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { FastifyInstance } from 'fastify';
import { FORM_TYPE } from './form.ts';

const FORM_TYPE_WITH_CHARSET = /^application\/x-www-form-urlencoded(?:[ \t]*;[ \t]*charset="?utf-8"?)?$/i;

/**
 * Makes a port accept form bodies only. Handlers receive them as bytes, for `decodeForm`. Every other content
 * type fails with `l.body_form`. Fastify's parsers of JSON and plain text are removed.
 */
export function acceptOnlyForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? '';
    const isForm = type === FORM_TYPE || FORM_TYPE_WITH_CHARSET.test(type);
    done(isForm ? null : new Refused(refusal('generic', 'l.body_form')), body);
  });
}
