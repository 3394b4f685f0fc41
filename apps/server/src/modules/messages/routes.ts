import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { flagOf } from '@exchange/wire/codecs.ts';
import type { Locale } from '@exchange/core/locale.ts';
import * as wire from '@exchange/wire/message.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import type { MessageCatalogue } from './catalogue.ts';
import type { MessageWords, StoredMessage } from './domain.ts';
import type { MessageService } from './service.ts';
import { TOPIC_RULES, type Channels, type NoticeTopic } from './topics.ts';

/** The HTTP endpoints of the inbox and of its delivery settings. */
export function messageRoutes(
  service: MessageService,
  catalogue: Pick<MessageCatalogue, 'placeOf' | 'words'>,
  demoTexts: DemoTexts,
): readonly Route[] {
  const present = (message: StoredMessage, locale: Locale) =>
    presented(message, catalogue.words(locale, message));
  const localise = (message: StoredMessage, userId: UserId, locale: Locale): StoredMessage => {
    const parameters = Object.entries(message.parameters).map(([name, text]) => [
      name,
      demoTexts.read(userId, text, locale),
    ]);
    return { ...message, parameters: Object.fromEntries(parameters) };
  };
  return [
    route(wire.messageCount, (_, { session }) => service.unread(session.userId)),
    route(wire.messagePage, async (fields, { session, locale }) => {
      const { readFlag: isRead, ...rest } = fields;
      const messages = await service.page(session.userId, { ...rest, isRead });
      return pageAnswer(
        mapPage(messages, (message) => present(localise(message, session.userId, locale), locale)),
        fields,
      );
    }),
    route(wire.messageDetail, async ({ id }, { session, locale }) => {
      const message = localise(await service.open(session.userId, id), session.userId, locale);
      const { content } = catalogue.words(locale, message);
      return { ...present(message, locale), content, ...catalogue.placeOf(message) };
    }),
    route(wire.readMessages, async ({ id, all }, { session }) => {
      if (id === undefined && all !== true) {
        throw new Refused(refusal('invalidField', 'l.field_required', { field: 'id' }));
      }
      return { count: await service.markRead(session.userId, all === true ? undefined : id) };
    }),
    route(wire.deleteMessages, async ({ ids, all }, { session }) => {
      if (ids === undefined && all !== true) {
        throw new Refused(refusal('invalidField', 'l.field_required', { field: 'ids' }));
      }
      return { count: await service.remove(session.userId, all === true ? undefined : ids) };
    }),
    route(wire.messageSettings, async (_, { session }) => ({
      list: (await service.choices(session.userId)).map(({ topic, ...choice }) => setting(topic, choice)),
    })),
    route(wire.setMessageSetting, async ({ topic, inbox, mail }, { session }) => {
      const fixed = (['inbox', 'mail'] as const).find((channel) => {
        const setting = { inbox, mail }[channel];
        const { byDefault, fixed } = TOPIC_RULES[topic];
        return setting !== undefined && fixed[channel] && setting !== byDefault[channel];
      });
      if (fixed !== undefined) throw new Refused(refusal('invalidField', 'l.notice_fixed', { field: fixed }));
      const choice = { ...(inbox === undefined ? {} : { inbox }), ...(mail === undefined ? {} : { mail }) };
      return setting(topic, await service.choose(session.userId, topic, choice));
    }),
  ];
}

function setting(topic: NoticeTopic, { inbox, mail }: Channels) {
  const { fixed } = TOPIC_RULES[topic];
  return {
    topic,
    inbox: flagOf(inbox),
    mail: flagOf(mail),
    inboxFixed: flagOf(fixed.inbox),
    mailFixed: flagOf(fixed.mail),
  };
}

function presented(message: StoredMessage, { title, summary }: MessageWords) {
  return {
    id: message.id,
    title,
    summary,
    type: message.type,
    readFlag: message.isRead ? (1 as const) : (0 as const),
    createTime: message.createdAt,
  };
}
