import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { FastifyInstance } from 'fastify';
import { FORM_TYPE } from './form.ts';

const FORM_TYPE_WITH_CHARSET = /^application\/x-www-form-urlencoded(?:[ \t]*;[ \t]*charset="?utf-8"?)?$/i;

/**
 * Makes a server accept form bodies only. Handlers receive a body as bytes and decode it with `decodeForm`. A body of
 * another content type is refused with `l.body_form`.
 */
export function acceptOnlyForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? '';
    const isForm = type === FORM_TYPE || FORM_TYPE_WITH_CHARSET.test(type);
    done(isForm ? null : new Refused(refusal('generic', 'l.body_form')), body);
  });
}
