import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { store } from '../storage.ts';
import { IndicatorFields } from './indicator-fields.tsx';
import {
  type ChosenParameters,
  INDICATORS,
  type IndicatorName,
  PARAMETER_BOUNDS,
  parameterIn,
  parameterKind,
  parametersOf,
  rememberParameters,
  rememberedParameters,
  withParameter,
} from './indicator-parameters.ts';
import { INDICATORS_MAX, showIndicators } from './indicators.ts';
import { frames, stagedChart } from './testing/staged-chart.ts';

const NOTHING: ChosenParameters = new Map();

beforeEach(async () => {
  localStorage.clear();
  await loadAllWords();
});
afterEach(cleanup);

describe('parameters of indicators', () => {
  it('WEB-991 are integer periods from 1 to 500, a multiplier with one decimal, or percentages', () => {
    expect(['1', '500', '２５', ' 7 '].map((text) => parameterIn(text, 'period'))).toEqual([1, 500, 25, 7]);
    for (const text of ['0', '501', '1.5', '-3', '', 'x', '1e2'])
      expect(parameterIn(text, 'period')).toBeUndefined();
    expect(parameterIn('2.5', 'multiplier')).toBe(2.5);
    for (const text of ['0', '10.1', '2.55', '.5']) expect(parameterIn(text, 'multiplier')).toBeUndefined();
    expect(parameterIn('100', 'percent')).toBe(100);
    expect(parameterIn('101', 'percent')).toBeUndefined();
  });

  it('WEB-991 are remembered on the device, and removed when they equal the defaults', () => {
    const changed = withParameter(NOTHING, 'MA', { place: 1, value: 50 });
    rememberParameters(changed);
    expect(parametersOf('MA', rememberedParameters())).toEqual([7, 50, 99]);
    rememberParameters(withParameter(changed, 'MA', { place: 1, value: 25 }));
    expect(localStorage.length).toBe(0);
  });

  it('WEB-991 that are invalid in storage fall back to the defaults, valid ones stay', () => {
    const stored = { MA: [7, 9999, 99], RSI: [2, 3], BOLL: [30, 2.5], KDJ: 'x', ROCKET: [1], __proto__: [1] };
    store('chart-indicator-parameters', JSON.stringify(stored));
    expect([...rememberedParameters()]).toEqual([['BOLL', [30, 2.5]]]);
    store('chart-indicator-parameters', '[nonsense');
    expect(rememberedParameters().size).toBe(0);
  });
});

describe('on the chart', () => {
  it('WEB-991 every indicator is calculated with its smallest and largest parameters', async () => {
    const stage = await stagedChart();
    const extremes = (bound: 'least' | 'most'): ChosenParameters =>
      new Map(
        INDICATORS.map((name) => [
          name,
          parametersOf(name, NOTHING).map((_, place) => PARAMETER_BOUNDS[parameterKind(name, place)][bound]),
        ]),
      );
    const failing: string[] = [];
    for (const name of INDICATORS) {
      for (const bound of ['least', 'most'] as const) {
        showIndicators(stage.chart, [name], { parameters: extremes(bound), volume: 'Volume' });
        await frames();
        const [shownIndicator] = stage.chart.getIndicators({ name });
        expect(shownIndicator?.calcParams, name).toEqual(extremes(bound).get(name));
        if (shownIndicator?.result.length === 0) failing.push(`${name} ${bound}`);
      }
      showIndicators(stage.chart, [], { parameters: NOTHING, volume: 'Volume' });
    }
    expect(failing).toEqual([]);
    stage.close();
  });

  it('WEB-991 a shown indicator follows its parameters, and its legend names them', async () => {
    const stage = await stagedChart();
    showIndicators(stage.chart, ['MA'], { parameters: NOTHING, volume: 'Volume' });
    await frames();
    const parameters = withParameter(NOTHING, 'MA', { place: 0, value: 3 });
    showIndicators(stage.chart, ['MA'], { parameters, volume: 'Volume' });
    await frames();
    const [average] = stage.chart.getIndicators({ name: 'MA' });
    expect(average?.figures.map(({ title }) => title)).toEqual(['MA3: ', 'MA25: ', 'MA99: ']);
    const titles = Object.keys(average?.result.at(3) ?? {});
    expect(titles).toEqual(['ma1']);
    stage.close();
  });
});

function Menu({ shown }: { readonly shown: readonly IndicatorName[] }) {
  const [parameters, setParameters] = useState<ChosenParameters>(NOTHING);
  return (
    <>
      <IndicatorFields shown={shown} parameters={parameters} onChange={setParameters} />
      <output>{JSON.stringify([...parameters])}</output>
    </>
  );
}

describe('in the menu', () => {
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  const chosen = () => screen.getByRole('status').textContent;

  it('WEB-991 invalid input stays, shows the allowed range and changes nothing', () => {
    render(<Menu shown={['MA', 'BOLL', 'PVT']} />);
    expect(screen.queryByText('PVT')).toBeNull();
    fireEvent.change(field('MA, period 1'), { target: { value: '0' } });
    expect(field('MA, period 1').value).toBe('0');
    expect(screen.getByRole('alert').textContent).toBe('Enter a whole number from 1 to 500.');
    expect(chosen()).toBe('[]');
    fireEvent.change(field('MA, period 1'), { target: { value: '10' } });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(chosen()).toBe('[["MA",[10,25,99]]]');
  });

  it('WEB-991 one press restores the defaults', () => {
    render(<Menu shown={['MA', 'BOLL']} />);
    fireEvent.change(field('BOLL, multiplier'), { target: { value: '2.5' } });
    expect(chosen()).toBe('[["BOLL",[20,2.5]]]');
    fireEvent.click(screen.getByRole('button', { name: 'Reset BOLL to its defaults' }));
    expect(chosen()).toBe('[]');
    expect(field('BOLL, multiplier').value).toBe('2');
  });

  it('WEB-991 parameters of the maximum number of indicators fit into the menu', () => {
    const most = INDICATORS_MAX.over + INDICATORS_MAX.below;
    render(
      <Menu shown={INDICATORS.filter((name) => parametersOf(name, NOTHING).length > 0).slice(0, most)} />,
    );
    expect(screen.getAllByRole('button').length).toBe(most);
  });
});
