import { lazy, Suspense, useEffect } from 'react'
import { ChartMissing } from '../../../ui/chart/lazy-chart.tsx'
import type { HistoryChartProps } from './history-chart.tsx'

async function load() {
  try {
    return { default: (await import('./history-chart.tsx')).HistoryChart }
  } catch {
    return { default: ChartMissing }
  }
}

const Loaded = lazy(load)

/** Fetches the code of the charts beside the records that they draw, not after them. */
export function useHistoryChartCode(): void {
  useEffect(() => void load(), [])
}

/** Charts of recorded values; their place is kept free until their code is there. */
export function LazyHistoryChart(props: HistoryChartProps) {
  return (
    <Suspense fallback={<div style={{ height: props.height }} aria-busy="true" />}>
      <Loaded {...props} />
    </Suspense>
  )
}
