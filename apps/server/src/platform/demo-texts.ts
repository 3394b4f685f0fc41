import type { UserId } from '@exchange/core/ids.ts';
import { textIn, type Locale, type TextByLocale } from '@exchange/core/locale.ts';

/**
 * Translates the texts that a demo wrote in its trader's name. They are stored in English like any user's text;
 * a text that is not in the list, e.g. from another version or from a visitor, is returned unchanged.
 */
export class DemoTexts {
  private readonly texts: ReadonlyMap<string, TextByLocale>;
  private trader: UserId | undefined;

  constructor(texts: readonly TextByLocale[]) {
    this.texts = new Map(texts.map((text) => [text['en-US'], text]));
  }

  /**
   * Sets the trader whose texts are translated. Before this call, and in an exchange that is no demo, all texts
   * are returned unchanged.
   */
  setTrader(trader: UserId): void {
    this.trader = trader;
  }

  /**
   * Returns a text stored by `owner` in the reader's language, if a demo wrote it in the trader's
   * name; any other text is returned unchanged.
   */
  read(owner: UserId, text: string, locale: Locale): string {
    const translation = owner === this.trader ? this.texts.get(text) : undefined;
    return translation === undefined ? text : textIn(translation, locale);
  }
}
