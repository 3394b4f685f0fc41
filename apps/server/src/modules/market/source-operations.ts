import { FieldValues } from '../../platform/console/field-values.ts';
import { ROLES, textFields, whyOf, type Operation } from '../../platform/console/operation.ts';
import type { SourceSwitches } from './source-switches.ts';

/** With fewer sources nothing can be acted upon. */
const ENOUGH = 3;

/** What an operator may do with the sources of the index: see them, and switch one off and on again. */
export function sourceOperations(switches: SourceSwitches): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/sources',
      summary: 'Sources of the index, which of them count, and who switched one.',
      roles: ROLES,
      run: () =>
        Promise.resolve({
          sources: switches.list().map(({ id, isOn, change }) => ({
            ...{ source: id, state: isOn ? 'on' : 'off' },
            ...(change === undefined ? {} : { at: change.at, by: change.by, reason: change.reason }),
            ...(change?.note === undefined ? {} : { note: change.note['en-US'] }),
          })),
        }),
    },
    {
      method: 'POST',
      path: '/ops/sources/:source/off',
      summary:
        'Leaves a source out of the index from the next second on, with a note to everybody. Needs a second person where fewer than three would be left.',
      roles: ['product', 'approver'],
      fields: textFields('note', 'Public note', 'longText'),
      needsApproval: ({ parameters }) => switches.leftWithout(parameters['source'] ?? '') < ENOUGH,
      run: async (call) => {
        const source = call.parameters['source'] ?? '';
        await switches.switchOff(source, new FieldValues(call.fields).byLocale('note'), whyOf(call));
        return { source, state: 'off' };
      },
    },
    {
      method: 'POST',
      path: '/ops/sources/:source/on',
      summary: 'Lets a source count again. Needs a second person.',
      roles: ['product', 'approver'],
      needsApproval: () => true,
      run: async (call) => {
        const source = call.parameters['source'] ?? '';
        await switches.switchOn(source, whyOf(call));
        return { source, state: 'on' };
      },
    },
  ];
}
