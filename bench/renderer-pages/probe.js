// Notes when the first element that the page's own script tag names was painted, epoch milliseconds.
const wanted = document.currentScript.dataset.wanted
const channel = new MessageChannel()
channel.port1.onmessage = () => (window.paintedAt = performance.timeOrigin + performance.now())
const observer = new MutationObserver(() => {
  if (document.querySelector(wanted) === null) return
  observer.disconnect()
  requestAnimationFrame(() => channel.port2.postMessage(null))
})
observer.observe(document, { childList: true, subtree: true })
