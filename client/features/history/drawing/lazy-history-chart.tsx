import { useEffect } from 'react'
import { lazyChart } from '../../../ui/chart/lazy-chart.tsx'

const load = async () => (await import('./history-chart.tsx')).HistoryChart

export const LazyHistoryChart = lazyChart(load)

/** Loads the code of the charts while their records load. */
export function useHistoryChartCode(): void {
  useEffect(() => void load().catch(() => {}), [])
}
