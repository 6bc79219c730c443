// Before anything is painted: what this browser chose the last time, or what the system prefers.
(() => {
  const chosen = localStorage.getItem('stagecoach-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
