const HOUR_MINUTES = 60;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Formats a minute of the day (0 to 1439) as the value of a time field, for example `22:30`. */
export function textOfMinute(minute: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${twoDigits(Math.floor(minute / HOUR_MINUTES))}:${twoDigits(minute % HOUR_MINUTES)}`;
}

/** Returns the minute of the day in the value of a time field; undefined for an incomplete value. */
export function minuteOfText(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  return Number(hours) * HOUR_MINUTES + Number(minutes);
}
