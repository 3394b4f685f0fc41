import type { UserId } from '@exchange/core/ids.ts';
import { textIn, type Locale, type TextByLocale } from '@exchange/core/locale.ts';

/**
 * What a demo wrote in the name of its trader, for readers of every language. It is stored like anybody's text, in English;
 * a text that is none of these, as another version of the demo or a visitor may have written, is shown as it is.
 */
export class DemoTexts {
  private readonly texts: ReadonlyMap<string, TextByLocale>;
  private trader: UserId | undefined;

  constructor(texts: readonly TextByLocale[]) {
    this.texts = new Map(texts.map((text) => [text['en-US'], text]));
  }

  /** Says whose texts they are; before that, and so in an exchange that is no demo, all are shown as they are. */
  begin(trader: UserId): void {
    this.trader = trader;
  }

  /** A stored text of somebody's, in the language of its reader. */
  read(owner: UserId, text: string, locale: Locale): string {
    const known = owner === this.trader ? this.texts.get(text) : undefined;
    return known === undefined ? text : textIn(known, locale);
  }
}
