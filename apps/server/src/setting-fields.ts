import * as z from 'zod';

/** Field types of settings; each describes its rule in the error message. */

export type Environment = Readonly<Record<string, string | undefined>>;

export const POSTGRES: readonly string[] = ['postgres:', 'postgresql:'];

/** Error message with the rule and the value; for settings that contain no secret. */
export const mustBe = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => `must be ${rule}, not "${String(input)}"`,
});
export const secretly = (rule: string) => ({ error: () => `must be ${rule}` });

export const choice = <const Choices extends readonly string[]>(choices: Choices) =>
  z.enum(choices, mustBe(choices.join(' or ')));
/** A URL, which may contain a password. A PostgreSQL URL may omit the host and name a socket instead. */
export const url = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => {
        if (!URL.canParse(text)) return false;
        const { protocol, hostname } = new URL(text);
        return protocols.includes(protocol) && (hostname !== '' || protocols === POSTGRES);
      },
      secretly(`an address that begins with ${protocols.join('// or ')}//`),
    )
    .optional();
