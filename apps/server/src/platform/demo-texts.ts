import type { UserId } from '@exchange/core/ids.ts';
import { textIn, type Locale, type TextByLocale } from '@exchange/core/locale.ts';

/**
 * Translates the texts that the demo data contain in the name of the demo trader, such as messages to support. They are
 * stored in English. Other texts, e.g. of a visitor or of another version, are returned unchanged.
 */
export class DemoTexts {
  private readonly texts: ReadonlyMap<string, TextByLocale>;
  private trader: UserId | undefined;

  constructor(texts: readonly TextByLocale[]) {
    this.texts = new Map(texts.map((text) => [text['en-US'], text]));
  }

  /**
   * Sets the user whose texts `read` translates. Before this call, and in live mode, `read` returns all texts
   * unchanged.
   */
  setTrader(trader: UserId): void {
    this.trader = trader;
  }

  /**
   * Returns a stored text of `owner` in the language `locale`, if `owner` is the demo trader and the text
   * belongs to the demo data. Otherwise returns the text unchanged.
   */
  read(owner: UserId, text: string, locale: Locale): string {
    const translation = owner === this.trader ? this.texts.get(text) : undefined;
    return translation === undefined ? text : textIn(translation, locale);
  }
}
