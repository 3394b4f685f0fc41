import { invalidChoice } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { BANNER_PICTURES, TOPICS } from '@exchange/core/board.ts';
import * as described from '@exchange/wire/console/desk.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { previewIn } from '../../platform/console/preview.ts';
import { serveVersions } from '../../platform/console/versions.ts';
import { isShown, type Entry, type EntryKind, type EntryTerms } from './domain.ts';
import { presentAnnouncement, presentBanner } from './present.ts';
import type { Board } from './service.ts';

/**
 * Returns the console operations for announcements and banners. Publishing needs the approval of a second
 * operator; withdrawing does not.
 */
export function boardOperations(board: Board, now: () => Instant): Operation[] {
  return [...queryOperations(board, now), ...publishOperations(board)];
}

function queryOperations(board: Board, now: () => Instant): Operation[] {
  const rowsOf = async (kind: EntryKind) => ({
    list: (await board.all(kind)).map((entry) => rowOf(entry, now())),
  });
  return [
    serveList(described.announcements, () => rowsOf('announcement')),
    serveList(described.banners, () => rowsOf('banner')),
    serveVersions(described.announcementVersions, {
      read: ({ parameters }, range) => board.versions('announcement', parameters['code'] ?? '', range),
    }),
    serveVersions(described.bannerVersions, {
      read: ({ parameters }, range) => board.versions('banner', parameters['code'] ?? '', range),
    }),
    serveList(described.boardHistory, async () => ({
      list: (await board.history()).map(({ at, by, reason, ...entry }) => ({
        code: entry.code,
        version: entry.version,
        at,
        by,
        reason,
        fromAt: entry.fromAt,
        untilAt: entry.untilAt,
        isWithdrawn: entry.isWithdrawn,
        ...entry.body,
      })),
    })),
  ];
}

function publishOperations(board: Board): Operation[] {
  return [
    serveAction(described.publishAnnouncement, {
      secondPerson: { evidence: (call) => entryEvidence(board, 'announcement', call) },
      check: (call) => board.proposed(announcementOf(call)),
      versionOf: (call) => versionOf(board, 'announcement', call),
      preview: async (call) => {
        const entry = await board.proposed(announcementOf(call));
        return previewIn('announcement', textsOf(entry), (locale) => presentAnnouncement(entry, locale));
      },
      run: (call) => publishEntry(board, call, announcementOf(call)),
    }),
    serveAction(described.publishBanner, {
      secondPerson: { evidence: (call) => entryEvidence(board, 'banner', call) },
      check: (call) => board.proposed(bannerOf(call)),
      versionOf: (call) => versionOf(board, 'banner', call),
      preview: async (call) => {
        const entry = await board.proposed(bannerOf(call));
        return previewIn('banner', textsOf(entry), (locale) => presentBanner(entry, locale));
      },
      run: (call) => publishEntry(board, call, bannerOf(call)),
    }),
    serveAction(described.withdrawEntry, {
      run: async (call) => {
        const { code, version } = await board.withdraw(call.parameters['code'] ?? '', whyOf(call));
        return { code, version };
      },
    }),
  ];
}

function announcementOf(call: CallOf<typeof described.publishAnnouncement>): EntryTerms {
  const topic = requireChoice(TOPICS, 'topic', call);
  return { ...termsOf(call, 'announcement', { topic }), position: 0 };
}

function bannerOf(call: CallOf<typeof described.publishBanner>): EntryTerms {
  const values = new FieldValues(call.fields);
  const picture = requireChoice(BANNER_PICTURES, 'picture', call);
  const link = values.isSet('link') ? values.text('link').trim() : undefined;
  return { ...termsOf(call, 'banner', { picture, link }), position: values.whole('position') };
}

function textsOf({ body: { title, content } }: Entry) {
  return { title, content };
}

/**
 * Returns what the second operator who approves an announcement or a banner sees: the number of the published
 * version (0 if there is none), and the proposed title, times and link. The proposed text is not part of it.
 */
async function entryEvidence(
  board: Board,
  kind: EntryKind,
  call: OperatorCall,
): Promise<EvidenceOf<typeof described.publishBanner>> {
  const values = new FieldValues(call.fields);
  return {
    facts: {
      code: call.parameters['code'],
      kind,
      versionNow: await versionOf(board, kind, call),
      title: values.byLocale('title'),
      fromAt: values.time('fromAt'),
      untilAt: values.isSet('untilAt') ? values.time('untilAt') : undefined,
      link: call.fields['link'],
    },
  };
}

async function versionOf(board: Board, kind: EntryKind, { parameters }: OperatorCall): Promise<number> {
  return (await board.all(kind)).find(({ code }) => code === parameters['code'])?.version ?? 0;
}

async function publishEntry(board: Board, call: OperatorCall, terms: EntryTerms) {
  const { code, version } = await board.publish(terms, whyOf(call));
  return { code, version };
}

function termsOf(
  { parameters, fields }: OperatorCall,
  kind: EntryKind,
  extraFields: Pick<EntryTerms['body'], 'topic' | 'picture' | 'link'>,
): Omit<EntryTerms, 'position'> {
  const values = new FieldValues(fields);
  return {
    code: parameters['code'] ?? '',
    kind,
    isWithdrawn: false,
    body: { title: values.byLocale('title'), content: values.byLocale('content'), ...extraFields },
    fromAt: values.time('fromAt'),
    untilAt: values.isSet('untilAt') ? values.time('untilAt') : undefined,
  };
}

function requireChoice<Choice extends string>(
  choices: readonly Choice[],
  field: string,
  { fields }: OperatorCall,
): Choice {
  const value = fields[field] ?? '';
  const choice = choices.find((allowed) => allowed === value);
  if (choice === undefined) throw invalidChoice(field, value);
  return choice;
}

function rowOf(entry: Entry, now: Instant) {
  const { code, version, body, position, fromAt, untilAt, isWithdrawn } = entry;
  return {
    code,
    version,
    isShown: isShown(entry, now),
    isWithdrawn,
    fromAt,
    untilAt,
    position,
    ...body,
  };
}
