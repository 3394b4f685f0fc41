import * as z from 'zod';

/** What settings are made of, each with the rule that a wrong value is answered with. */

export type Environment = Readonly<Record<string, string | undefined>>;

export const POSTGRES: readonly string[] = ['postgres:', 'postgresql:'];

/** What is wrong, with the value where it cannot hold a secret. */
export const mustBe = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => `must be ${rule}, not "${String(input)}"`,
});
export const secretly = (rule: string) => ({ error: () => `must be ${rule}` });

export const choice = <const Choices extends readonly string[]>(choices: Choices) =>
  z.enum(choices, mustBe(choices.join(' or ')));
/** May hold a password. A PostgreSQL address may leave the host out and name a socket instead. */
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
