import RefreshCw from 'lucide-react/icons/refresh-cw'

interface RefreshButtonProps {
  name?: string
  busy: boolean
  onRefresh: () => void
}

export function RefreshButton({ name = 'Refresh', busy, onRefresh }: RefreshButtonProps) {
  return (
    <button
      type="button"
      className="button icon"
      aria-label={name}
      title={name}
      aria-disabled={busy}
      onClick={() => busy || onRefresh()}
    >
      <RefreshCw />
    </button>
  )
}
