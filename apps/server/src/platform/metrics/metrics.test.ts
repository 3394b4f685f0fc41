import { PerformanceObserver } from 'node:perf_hooks';
import { describe, expect, it, vi } from 'vitest';
import { Metrics } from './metrics.ts';

describe('metrics of the server', () => {
  it('answers are counted by route and code, and durations in cumulative buckets', async () => {
    const metrics = new Metrics();
    const login = metrics.ofRoute('/login');
    login.answered(1, 0.5);
    login.answered(1, 3);
    login.answered(-1, 2_600);
    metrics.ofRoute('/quiet');
    const text = await metrics.text();
    expect(text).toContain('# TYPE http_answers_total counter');
    expect(text).toContain('http_answers_total{route="/login",code="1"} 2');
    expect(text).toContain('http_answers_total{route="/login",code="-1"} 1');
    expect(text).toContain('# TYPE http_answer_seconds histogram');
    expect(text).toContain('http_answer_seconds_bucket{le="0.001",route="/login"} 1');
    expect(text).toContain('http_answer_seconds_bucket{le="0.0025",route="/login"} 1');
    expect(text).toContain('http_answer_seconds_bucket{le="0.005",route="/login"} 2');
    expect(text).toContain('http_answer_seconds_bucket{le="2.5",route="/login"} 2');
    expect(text).toContain('http_answer_seconds_bucket{le="+Inf",route="/login"} 3');
    expect(text).toContain('http_answer_seconds_sum{route="/login"} 2.6035');
    expect(text).toContain('http_answer_seconds_count{route="/login"} 3');
    expect(text).toContain('http_answer_seconds_count{route="/quiet"} 0');
  });

  it('counters and gauges are printed by name', async () => {
    const metrics = new Metrics();
    metrics.counter('things_total', 'Things').add(3);
    metrics.gauge('depth', 'Depth', () => 7);
    const text = await metrics.text();
    expect(text).toContain('things_total 3');
    expect(text).toContain('depth 7');
  });

  it('a process is measured once, however many exchanges it starts, and each prints what was measured', async () => {
    const observe = vi.spyOn(PerformanceObserver.prototype, 'observe');
    const all = Array.from({ length: 3 }, (_, index) => {
      const metrics = new Metrics();
      metrics.measureProcess();
      metrics.gauge('exchange', 'Number of the exchange', () => index);
      return metrics;
    });
    expect(observe.mock.calls.length).toBeLessThanOrEqual(1);
    observe.mockRestore();
    const texts = await Promise.all(all.map((metrics) => metrics.text()));
    for (const [index, text] of texts.entries()) {
      expect(text).toContain('# TYPE nodejs_gc_duration_seconds histogram');
      expect(text).toMatch(/^process_cpu_seconds_total \d/m);
      expect(text.match(/^exchange \d+$/gm)).toEqual([`exchange ${index}`]);
      // A text that contains a metric twice, or does not end with a line break, would be refused by Prometheus.
      const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(text).toMatch(/\n$/);
    }
  });
});
