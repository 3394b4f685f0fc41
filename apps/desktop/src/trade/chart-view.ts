/** What the middle of the trading screen shows; named in its address, so that a link may lead to each. */
export const CHART_VIEWS = ['chart', 'depth', 'info'] as const;
export type ChartView = (typeof CHART_VIEWS)[number];

export const VIEW_PARAMETER = 'view';

/** The view that an address names; the chart where it names none that there is. */
export function chartViewOf(search: URLSearchParams): ChartView {
  const named = search.get(VIEW_PARAMETER);
  return CHART_VIEWS.find((view) => view === named) ?? 'chart';
}

/** The address's parameters with a view; the chart needs no name. */
export function withChartView(search: URLSearchParams, view: ChartView): URLSearchParams {
  const next = new URLSearchParams(search);
  if (view === 'chart') next.delete(VIEW_PARAMETER);
  else next.set(VIEW_PARAMETER, view);
  return next;
}
