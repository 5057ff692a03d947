// Runs before the page's own script: nothing that goes wrong may go unseen.
window.problems = [];
window.addEventListener('error', (event) => window.problems.push(`error: ${event.message}`));
window.addEventListener('unhandledrejection', (event) => window.problems.push(`rejection: ${event.reason}`));
window.addEventListener('securitypolicyviolation', (event) => window.problems.push(`loads ${event.blockedURI}`));
for (const level of ['error', 'warn']) console[level] = (...words) => window.problems.push(`${level}: ${words.join(' ')}`);
