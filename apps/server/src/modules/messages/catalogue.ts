import type { MessagePlace } from '@exchange/core/message-place.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { PushKind } from '@exchange/core/push.ts';
import {
  MESSAGE_RULES,
  type DeclaredMessageKind,
  type Message,
  type MessageKind,
  type MessageRule,
  type MessageWords,
  type OwnMessageKind,
} from './domain.ts';
import type { NoticeTopic } from './topics.ts';
import { filledWords, ownWords } from './words/message-words.ts';

/**
 * A kind of message that another module declares: its link, its topic, its push kind and its texts in every
 * language.
 */
interface DeclaredMessage extends MessageRule {
  readonly topic?: NoticeTopic;
  readonly words: Readonly<Record<Locale, MessageWords>>;
}

/** The kinds of messages that a module sends, by name. The module lists them in its manifest as `messages`. */
export interface DeclaredMessages<Name extends string = string> {
  readonly declarations: Readonly<Record<Name, DeclaredMessage>>;
  /** The names of the declared kinds, typed as `send` requires them. */
  readonly kinds: Readonly<Record<Name, DeclaredMessageKind>>;
}

/**
 * Declares the kinds of messages of a module. Each stored message contains the name of its kind, so a name
 * must never change and a kind must never be removed.
 */
export function declareMessages<Name extends string>(
  declarations: Readonly<Record<Name, DeclaredMessage>>,
): DeclaredMessages<Name> {
  const names = Object.keys(declarations) as Name[];
  const kinds: Readonly<Record<string, string>> = Object.fromEntries(names.map((name) => [name, name]));
  return { declarations, kinds: kinds as Record<Name, DeclaredMessageKind> };
}

/** Push kinds by topic, for messages whose rule has no push kind of its own. */
const PUSH_KIND_BY_TOPIC = new Map<string, PushKind>([
  ['fills', 'fills'],
  ['alerts', 'alerts'],
  ['seconds', 'seconds'],
  ['risk', 'risk'],
]);

const OWN_RULES = new Map<string, MessageRule>(Object.entries(MESSAGE_RULES));

/**
 * The kinds of messages that can be sent and displayed: those of this module, and those that other modules have
 * declared.
 */
export class MessageCatalogue {
  private readonly declared = new Map<string, DeclaredMessage>();

  /**
   * Adds the kinds of messages that other modules declare. Must be called before the first message is sent or read.
   * Throws if two kinds have the same name.
   */
  declare(declared: readonly DeclaredMessages[]): void {
    for (const [kind, declaration] of declared.flatMap(({ declarations }) => Object.entries(declarations))) {
      if (this.isKind(kind)) throw new Error(`two kinds of messages have the name ${kind}`);
      this.declared.set(kind, declaration);
    }
  }

  /** The names of all kinds. */
  kinds(): readonly string[] {
    return [...OWN_RULES.keys(), ...this.declared.keys()];
  }

  /**
   * False for the kind of a stored message that this version of the program does not contain; a newer version may have
   * stored it.
   */
  isKind(text: string): text is MessageKind {
    return OWN_RULES.has(text) || this.declared.has(text);
  }

  /**
   * The topic whose setting controls where messages of a kind are delivered. Undefined for kinds without a setting:
   * they go to the inbox of every reader, and this module does not mail them.
   */
  topicOf(kind: MessageKind): NoticeTopic | undefined {
    return this.ruleOf(kind).topic as NoticeTopic | undefined;
  }

  /** The push kind that a device must have enabled to receive a message; undefined if it is never pushed. */
  pushKindOf(kind: MessageKind): PushKind | undefined {
    const { push, topic } = this.ruleOf(kind);
    return push ?? PUSH_KIND_BY_TOPIC.get(topic ?? '');
  }

  /** The screen that a message links to, and the order or pair that the screen shows; empty if it shows none. */
  placeOf({ kind, parameters }: Pick<Message, 'kind' | 'parameters'>) {
    const { place } = this.ruleOf(kind);
    const { order = '', pair = '' } = parameters;
    const items: Partial<Record<MessagePlace, string>> = {
      order,
      finance: order,
      mining: order,
      seconds: order,
      pair: pair.replace('/', '_'),
    };
    return { place, item: items[place] ?? '' };
  }

  /** A message's texts in a language, with its parameters filled in. Throws for a kind that no module has declared. */
  words(locale: Locale, { kind, parameters }: Pick<Message, 'kind' | 'parameters'>): MessageWords {
    const words = this.declared.get(kind)?.words[locale] ?? ownWords(locale, kind as OwnMessageKind);
    return filledWords(words, locale, parameters);
  }

  private ruleOf(kind: MessageKind): MessageRule {
    const rule = OWN_RULES.get(kind) ?? this.declared.get(kind);
    if (rule === undefined) throw new Error(`no module in use has declared the kind of message ${kind}`);
    return rule;
  }
}
