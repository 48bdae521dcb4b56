import ChartLine from 'lucide-react/icons/chart-line'
import { CHART_POINTS_MAX } from '../../lib/limits.ts'
import { useSelectedPoints } from '../data/points/selected-points.ts'
import { SelectedPointsBar } from '../data/points/selected-points-bar.tsx'

interface ChartSelectionProps {
  customerId: string
  onChart: (points: ReturnType<typeof useSelectedPoints>['points']) => void
}

/** The points that are selected for a chart, with the button that shows it. */
export function ChartSelection({ customerId, onChart }: ChartSelectionProps) {
  const { points, select } = useSelectedPoints(customerId)
  if (points.length === 0) return null
  return (
    <SelectedPointsBar points={points} onChange={select}>
      <button type="button" className="button primary" onClick={() => onChart(points)}>
        <ChartLine />
        Add to chart ({points.length}/{CHART_POINTS_MAX})
      </button>
    </SelectedPointsBar>
  )
}
