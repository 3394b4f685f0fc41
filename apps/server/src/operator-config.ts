import * as z from 'zod';
import { mustBe } from './setting-fields.ts';

/**
 * Data of the company that operates the exchange, for the legal pages; `entity` also appears in statements and
 * travel-rule records. An undefined `entity` is shown as missing, an undefined `supportEmail` is replaced by the
 * parameter `customer_service_email`, and other undefined fields are not shown.
 */
export interface OperatorConfig {
  readonly entity: string | undefined;
  readonly address: string | undefined;
  readonly governingLaw: string | undefined;
  readonly supportEmail: string | undefined;
}

const line = (most: number) =>
  z
    .string()
    .refine(
      (text) => text.length <= most && !/\p{Cc}/u.test(text),
      mustBe(`one line of at most ${most} characters`),
    )
    .optional();

export const OPERATOR_SETTINGS = {
  LEGAL_ENTITY: line(200),
  LEGAL_ADDRESS: line(300),
  GOVERNING_LAW: line(200),
  SUPPORT_EMAIL: z
    .string()
    .regex(/^[^<>@\s]{1,64}@[^<>@\s]{1,190}$/, mustBe('a mail address'))
    .optional(),
};

type OperatorSettings = z.infer<z.ZodObject<typeof OPERATOR_SETTINGS>>;

export function operatorOf(data: OperatorSettings): OperatorConfig {
  return {
    entity: data.LEGAL_ENTITY,
    address: data.LEGAL_ADDRESS,
    governingLaw: data.GOVERNING_LAW,
    supportEmail: data.SUPPORT_EMAIL,
  };
}
