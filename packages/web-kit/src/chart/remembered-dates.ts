import { utils, type FormatDate } from 'klinecharts';

/** More than the times on an axis while one scrolls through some screens. */
const REMEMBERED_MOST = 500;

/** The library's own way of writing a time; what it wrote before it gives from memory. */
export function rememberedDates(): FormatDate {
  const texts = new Map<string, string>();
  let writtenFor: Intl.DateTimeFormat | undefined;
  return ({ dateTimeFormat, timestamp, template }) => {
    if (writtenFor !== dateTimeFormat || texts.size > REMEMBERED_MOST) texts.clear();
    writtenFor = dateTimeFormat;
    const key = `${template} ${timestamp}`;
    const text = texts.get(key) ?? utils.formatDate(dateTimeFormat, timestamp, template);
    texts.set(key, text);
    return text;
  };
}
