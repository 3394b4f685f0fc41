import { agreement, parameter, serverInfo } from '@exchange/wire/parameter.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { ParameterService } from './service.ts';

/** The HTTP endpoints that return public settings, agreements and facts about the server. */
export function parameterRoutes(service: ParameterService): readonly Route[] {
  return [
    route(parameter, async ({ paramName }) => ({ valueName: await service.publicValue(paramName) })),
    route(agreement, ({ name, language }, { locale }) => service.agreement(name, language ?? locale)),
    route(serverInfo, () => service.server()),
  ];
}
