import { type ComponentProps, lazy, Suspense } from 'react'
import type { Chart } from './chart.tsx'

type ChartProps = ComponentProps<typeof Chart>

// The drawing's code is large and may not arrive: wherever a chart is shown, a table says the same.
const Loaded = lazy(async () => {
  try {
    return { default: (await import('./chart.tsx')).Chart }
  } catch {
    return { default: ChartMissing }
  }
})

/** In the place of a chart whose code did not arrive. */
export function ChartMissing() {
  return <p>The graph could not be loaded. The table below says the same.</p>
}

/** A chart whose code is fetched when the first one is shown. Its place is kept free meanwhile. */
export function LazyChart(props: ChartProps) {
  return (
    <Suspense fallback={<div style={{ height: props.height }} aria-busy="true" />}>
      <Loaded {...props} />
    </Suspense>
  )
}
