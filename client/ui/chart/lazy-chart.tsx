import { type ComponentType, lazy, Suspense } from 'react'

function ChartMissing() {
  return <p>The graph could not be loaded. The table below has the same data.</p>
}

/** Loads the large chart code with the first chart, and reserves the chart's height meanwhile. */
export function lazyChart<Props extends { height: number }>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() }
    } catch {
      return { default: ChartMissing }
    }
  })
  return function LazyChart(props: Props) {
    return (
      <Suspense fallback={<div style={{ height: props.height }} aria-busy="true" />}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

export const LazyChart = lazyChart(async () => (await import('./chart.tsx')).Chart)
