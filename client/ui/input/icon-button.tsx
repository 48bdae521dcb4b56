import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'name' | 'type' | 'onClick'> {
  name: string
  Icon: LucideIcon
  /** It can be reached, and does nothing. */
  off?: boolean
  /** For a button that stays down. */
  pressed?: boolean
  small?: boolean
  onPress: () => void
}

/** A button that is an icon. Its name shows under the pointer. */
export function IconButton(props: IconButtonProps) {
  const { name, Icon, off = false, pressed, small, onPress, className = 'quiet', ...button } = props
  return (
    <button
      title={name}
      {...button}
      type="button"
      className={`button icon ${className}${small ? ' small' : ''}`}
      aria-label={name}
      aria-pressed={pressed}
      aria-disabled={off || undefined}
      onClick={() => off || onPress()}
    >
      <Icon />
    </button>
  )
}
