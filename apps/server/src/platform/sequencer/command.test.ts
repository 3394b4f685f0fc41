import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { command, CommandRegistry } from './command.ts';
import { decimal, idOf, instantField } from './input-fields.ts';

const owner = '0190a5b0-0000-7000-8000-000000000001' as UserId;
const buy = command({
  name: 'test.buy',
  input: z.object({ owner: idOf<UserId>(), amount: decimal, until: z.optional(instantField) }),
  run: (_step, { amount }) => amount.toString(),
});

function registry(): CommandRegistry {
  const commands = new CommandRegistry();
  commands.add([buy]);
  return commands;
}

describe('commands', () => {
  it('SEQ-051 an input is read back from the journal unchanged', () => {
    const input = { owner, amount: Decimal.parse('0.000000000000000001'), until: instant(1_700_000_000_000) };
    const read = registry().read('test.buy', JSON.parse(JSON.stringify(input)));
    expect(read).toEqual({ command: buy, input });
    const without = registry().read('test.buy', JSON.parse(JSON.stringify({ ...input, until: undefined })));
    expect(without.input).toEqual({ owner, amount: input.amount });
  });

  it.each([
    ['an invalid id', { owner: 'me', amount: '1' }],
    ['a number for a decimal', { owner, amount: 1 }],
    ['a decimal in words', { owner, amount: 'one' }],
    ['a time that is not an integer', { owner, amount: '1', until: 0.5 }],
    ['nothing', null],
  ])('SEQ-051 an input with %s is rejected', (_what, input) => {
    expect(() => registry().read('test.buy', input)).toThrow(z.core.$ZodError);
  });

  it('SEQ-051 a command has a unique name, which has to be registered', () => {
    const commands = registry();
    expect(() => commands.read('test.sell', {})).toThrow('test.sell');
    expect(() => commands.add([command({ ...buy, name: 'test.buy' })])).toThrow('twice');
    expect(commands.has(buy)).toBe(true);
    expect(commands.has({ ...buy })).toBe(false);
  });
});
