import RefreshCw from 'lucide-react/icons/refresh-cw'

export function RefreshButton({ busy, onRefresh }: { busy: boolean; onRefresh: () => void }) {
  return (
    <button
      type="button"
      className="button icon"
      aria-label="Refresh"
      title="Refresh"
      aria-disabled={busy}
      onClick={() => busy || onRefresh()}
    >
      <RefreshCw />
    </button>
  )
}
