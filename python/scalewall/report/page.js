// Between two stored counts a value is read off on the logarithmic scale, as the chart is drawn.
function at(n,a){var g=d.n,j=1;while(j<g.length-1&&g[j]<n)j++;var t=Math.log(n/g[j-1])/Math.log(g[j]/g[j-1]);return t===1?a[j]:Math.exp(Math.log(a[j-1])*(1-t)+Math.log(a[j])*t)}
// Numbers are written as on the rest of the page: two digits, three where the ends are close.
function group(s){var p=s.split('.');if(p[0].length>4)p[0]=p[0].replace(/\B(?=(\d{3})+$)/g,'\u00a0');return p.join('.')}
function digits(x,k){var e=+x.toExponential(k-1).split('e')[1];return group((+x.toPrecision(k)).toFixed(Math.max(0,k-1-e)))}
function ends(a,b){return a===b?a:a+'–'+b}
function span(a,b){var k=b-a<.08*b?3:2;return ends(digits(a,k),digits(b,k))}
function shares(a,b){a*=100;b*=100;var m=Math.max(0,1-(+b.toExponential(1).split('e')[1])),s=a.toFixed(m),t=b.toFixed(m);if(s===t){s=a.toFixed(m+1);t=b.toFixed(m+1)}if(+s===0&&a>0)s=digits(a,1);return ends(group(s),group(t))+'\u00a0%'}
function draw(){var n=Math.round(d.first*Math.pow(d.last/d.first,i.value/1000));
[d.first,d.seen,2*d.seen,d.last].forEach(function(k){if(Math.abs(Math.log(n/k))<.0006*Math.log(d.last/d.first))n=k});
n=Math.min(Math.max(n,Math.ceil(d.first)),Math.floor(d.last));
var v=function(k){return at(n,d[k])},lo=v('yl'),hi=v('yh');
$('on').textContent=group(''+n)+' '+(n===1?d.one:d.many);
$('ot').textContent=span(v('tl'),v('th'))+d.unit;
$('oe').textContent=shares(v('el'),v('eh'));
if($('os'))$('os').textContent=span(v('sl'),v('sh'))+'×';
$('ow').textContent=n>d.seen?d.beyond:d.inside;
document.querySelectorAll('svg[data-x0]').forEach(function(s){var f=function(k){return+s.dataset[k]},x=f('x0')+Math.log2(n)*f('kx'),m=s.querySelector('.mark'),l=m.querySelector('line'),b=m.querySelector('rect'),y=function(u){return Math.min(Math.max(f('y0')-(d.log?Math.log2(u):u)*f('ky'),+l.getAttribute('y1')),+l.getAttribute('y2'))};
m.style.display='';l.setAttribute('x1',x);l.setAttribute('x2',x);b.setAttribute('x',x-4);b.setAttribute('y',y(hi));b.setAttribute('height',Math.max(2,y(lo)-y(hi)))})}
i.value=Math.round(1000*Math.log(2*d.seen/d.first)/Math.log(d.last/d.first));i.addEventListener('input',draw);draw()
