import { invalidChoice } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/status.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import { idOf, serveAction, serveList, whyOf, type Operation } from '../../platform/console/operation.ts';
import { COMPONENTS, STAGES, TEXT_MAX, TITLE_MAX } from './domain.ts';
import type { Status } from './service.ts';

/** Console operations for the incidents of the status page. A report is published without a second operator. */
export function statusOperations(status: Status): Operation[] {
  return [
    serveList(described.incidents, async () => ({
      list: (await status.incidents()).map(({ id, component, title, startedAt, endedAt, reports }) => ({
        id,
        component,
        title,
        startedAt,
        endedAt,
        stage: reports.at(-1)?.stage ?? 'investigating',
        content: reports.at(-1)?.content,
        reports: reports.length,
      })),
    })),
    serveAction(described.openIncident, {
      check: ({ fields }) => openedBy(fields),
      run: async (call) => ({ id: await status.open(openedBy(call.fields), whyOf(call)) }),
    }),
    serveAction(described.reportIncident, {
      check: ({ fields }) => reportedBy(fields),
      run: async (call) => {
        const id = idOf(call);
        await status.report(id, reportedBy(call.fields), whyOf(call));
        return { id };
      },
    }),
  ];
}

type Fields = ConstructorParameters<typeof FieldValues>[0];

function openedBy(fields: Fields) {
  const values = new FieldValues(fields);
  return {
    component: choiceOf(COMPONENTS, 'component', fields),
    title: values.byLocale('title', TITLE_MAX),
    content: values.byLocale('content', TEXT_MAX),
  };
}

function reportedBy(fields: Fields) {
  return {
    stage: choiceOf(STAGES, 'stage', fields),
    content: new FieldValues(fields).byLocale('content', TEXT_MAX),
  };
}

function choiceOf<const Choice extends string>(
  choices: readonly Choice[],
  field: string,
  fields: Fields,
): Choice {
  const text = new FieldValues(fields).text(field);
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw invalidChoice(field, text);
  return choice;
}
