import { describeOperation, ROLES } from '../operation.ts';
import { COUNT, EVENT_TIME, INSTANT, labelled, optional, ORDINAL, status, TEXT } from './columns.ts';

export const processes = describeOperation({
  method: 'GET',
  path: '/ops/cluster/processes',
  name: 'Processes',
  summary:
    'The processes of the exchange: which one leads, what the others serve, and what they wait for. The period counts changes of the writer; waiting are calls without an answer or topics without a state. A process that ended without a word is shown as gone for ten minutes.',
  roles: ROLES,
  rows: {
    in: 'processes',
    key: ['name'],
    title: ['place', 'role'],
    shown: ['place', 'role', 'state', 'since', 'version', 'epoch', 'writerHeardMs', 'pending', 'waitsFor'],
    columns: {
      name: labelled('Name of this run', TEXT),
      place: labelled('Machine and port', TEXT),
      role: labelled('Role', TEXT),
      serves: TEXT,
      state: status({
        leads: 'good',
        serves: 'good',
        'stands by': 'good',
        waits: 'bad',
        stops: 'waits',
        replaced: 'bad',
        gone: 'bad',
      }),
      since: INSTANT,
      waitsFor: optional(TEXT),
      epoch: labelled('Period', optional(ORDINAL)),
      writerHeardMs: labelled('Writer heard, ms', optional(COUNT)),
      pending: labelled('Waiting', optional(COUNT)),
      sockets: labelled('WebSocket connections', optional(COUNT)),
      version: TEXT,
      startedAt: EVENT_TIME,
      heardAt: EVENT_TIME,
    },
  },
});
