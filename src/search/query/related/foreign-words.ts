/**
 * A dictionary of programming terms, one line per English word: English, German, Spanish, French, Portuguese, Russian,
 * Chinese, Japanese. Words have no accents; a star stands for any ending. Words that are equal in English, or begin
 * like an English word, need no translation and are left out.
 */
export const LANGUAGES = ['de', 'es', 'fr', 'pt', 'ru', 'zh', 'ja'] as const;

export const FOREIGN_WORDS = `
abort|abbrech* abgebroch*|abort*|abandon* interromp*|interromp*|прерв* прерыв*|中止 中断|中断
add|hinzufug* hinzugefug*|agreg* anad*|ajout*|adicion*|добав*|添加 新增|追加
address|adress*|direccion*|adresse*|endereco*|адрес*|地址|アドレス
allocate|zuweis* zugewies* alloki*|asign*|allou*|aloc*|выдел*|分配|割り当て
argument|argumente*|argumento*|argument*|argumento*|аргумент*|参数|引数
array|arrays|arreglo*|tableau*|vetor*|массив*|数组|配列
asynchronous|asynchron*|asincron*|asynchron*|assincron*|асинхрон*|异步|非同期
authenticate|authentif* authentisi* anmeld* angemeld*|autentic*|authentif*|autentic*|аутентиф* авториз*|认证 身份验证 登录|認証 ログイン
authorize|autorisi* berechtig*|autoriz* permiso*|autoris* habilit*|autoriz* permiss*|прав|授权 权限|認可 権限
automatic|automatisch*|automatic*|automatiqu*|automatic*|автомат*|自动|自動
backup|sicherungskop*|respaldo*|sauvegarde*|copia|резерв*|备份|バックアップ
block|blockier*|bloque*|bloqu*|bloque*|блок*|阻塞|ブロック
branch|zweig*|rama*|branche*|ramo*|ветк* ветв*|分支|ブランチ
buffer|puffer* gepuffer*|bufer*|tampon*|buffers|буфер*|缓冲区 缓冲|バッファ
build|bau* gebaut*|constru*|constru*|constru* compil*|сборк* собра*|构建|ビルド
button|schaltflach* knopf*|boton*|bouton*|botao botoes|кнопк*|按钮|ボタン
cache|zwischenspeicher* zwischengespeicher* gecacht*|cachead*|cachee*|cachead*|кэш* кеш*|缓存|キャッシュ
calculate|berechn*|calcul* comput*|calcul*|calcul*|вычисл* рассчит*|计算|計算
call|aufruf* aufgeruf*|llam* invoc*|appel*|cham*|вызыва* вызов*|调用|呼び出
cancel|stornier* abgebroch*|cancel*|annul*|cancel*|отмен*|取消|キャンセル
certificate|zertifikat*|certificado*|certificat*|certificado*|сертификат*|证书|証明書
change|ander* geander*|cambi* modific*|chang* modif*|mud* alter*|измен*|修改 更改 变更|変更
channel|kanal* kanale*|canal*|canal canaux|canal canais|канал*|通道 频道|チャネル
check|pruf* gepruf* uberpruf*|comprob* verific*|verif*|verific*|провер*|检查|確認 チェック
class|klasse*|clase*|classe*|classe*|класс*|类|クラス
clean|bereinig* aufraum* aufgeraum*|limpi*|nettoy*|limp*|очист* очищ*|清理 清空|クリーン
client|clients|cliente*|client*|cliente*|клиент*|客户端|クライアント
close|schliess* geschloss*|cerr*|ferm*|fech*|закры*|关闭|閉じ
cluster|clusters|cluster*|grappe*|cluster*|кластер*|集群|クラスタ
color|farb*|colores|couleur*|cores|цвет*|颜色|色
column|spalte*|columna*|colonne*|coluna*|столб* колон*|列|列
command|befehl*|comando* orden|commande*|comando*|команд*|命令|コマンド
comment|kommentar*|comentario*|commentaire*|comentario*|коммент*|注释|コメント
commit|commits|confirm*|valid*|confirm*|коммит* фикс*|提交|コミット
compare|vergleich* verglich*|compar*|compar*|compar*|сравн*|比较|比較
compile|kompilier* ubersetz*|compil*|compil*|compil*|компил*|编译|コンパイル
compress|komprimier* verdicht*|comprim* compres*|compress*|comprim* compact*|сжат* сжим*|压缩|圧縮
condition|bedingung*|condicion*|condition*|condicao condicoes|услови*|条件|条件
configuration|konfiguration* konfig*|configur*|configur*|configur*|конфиг* настро*|配置|設定
connection|verbind* verbund*|conex* conect*|connex* connect*|conex* conect*|соединен* подключ*|连接|接続
consistent|konsistent*|consistente*|coherent*|consistente*|соглас*|一致性 一致|一貫性
constructor|konstruktor*|constructor*|constructeur*|construtor*|конструктор*|构造函数|コンストラクタ
container|containern|contenedor*|conteneur*|conteiner* recipiente*|контейнер*|容器|コンテナ
context|kontext*|contexto*|contexte*|contexto*|контекст*|上下文|コンテキスト
controller|steuerung*|controlador*|controleur*|controlador*|контроллер*|控制器|コントローラ
convert|konvertier* umwandl* umgewandel*|convert* convier*|convert*|convert*|преобраз* конверт*|转换|変換
cookie|cookies|cookies|temoin*|cookies|куки*|会话记录|クッキー
copy|kopier* kopie*|copi*|copi*|copi*|копир*|复制 拷贝|コピー
count|zahl* gezahl*|cont* cuent*|compt*|cont*|счит* подсч* счет*|计数 统计|カウント 数え
create|erstell* erzeug* angeleg* anleg*|crea*|cre* cree*|cri*|созда*|创建|作成 生成
data|daten|datos|donnee*|dados|данн*|数据|データ
database|datenbank*|bases|base|banco|баз*|数据库|データベース
date|datum*|fecha*|dates|data|дат*|日期|日付
debug|debugg* fehlersuch*|depur*|debog*|depur*|отлад* отлаж*|调试|デバッグ
decode|dekodier* entschlussel*|decodific*|decod*|decodific*|декодир*|解码|デコード
default|standardwert* voreinstell*|predetermin* defecto|defaut|padrao padroes|умолчан*|默认|デフォルト
define|definier*|defin*|defin*|defin*|определ*|定义|定義
delay|verzoger*|retras* demora*|retard* delai*|atras*|задерж*|延迟|遅延
delete|losch* gelosch* entfern*|elimin* borr* suprim*|supprim* effac*|exclu* apag* delet*|удал*|删除 移除|削除
dependency|abhangig*|dependen*|dependan*|dependen*|зависим*|依赖|依存関係 依存
deploy|bereitstell* bereitgestell*|despleg* desplieg*|deploi* deploy*|implant*|разверт* развор*|部署|デプロイ
directory|verzeichnis* ordner*|directorio* carpeta*|repertoire* dossier*|diretorio* pasta*|каталог* папк*|目录 文件夹|ディレクトリ フォルダ
disk|festplatte* platte*|disco*|disque*|disco*|диск*|磁盘|ディスク
display|anzeig* angezeig*|mostr* muestr*|affich*|exib* mostr*|отобраз* показ*|显示|表示
document|dokument*|documento*|documentation*|documento*|документ*|文档|ドキュメント
download|herunterlad* heruntergelad*|descarg*|telecharg*|baix*|загруж* скачив* скача*|下载|ダウンロード
duplicate|doppel* dupliz* duplikat*|duplicad*|dupliqu* doublon*|duplicad*|дублик* дублир* повторяющ*|重复|重複
element|elemente*|elemento*|elements|elemento*|элемент*|元素|要素
email|mails|correo*|courriel*|correio*|почт*|邮件|メール
empty|leer*|vaci*|vide*|vazi*|пуст*|空的|空の
encode|kodier* enkodier*|codific*|encod*|codific*|кодир*|编码|エンコード
encrypt|verschlussel*|cifr* encript*|chiffr*|cript* cifr*|шифр*|加密|暗号化
endpoint|endpunkt*|extremo*|extremite*|pontos|точк*|端点 接口|エンドポイント
environment|umgebung*|entorno*|environnement*|ambiente*|окружен*|环境|環境
error|fehler*|errores|erreur*|erro erros|ошиб*|错误 报错|エラー
event|ereignis*|evento*|evenement*|evento*|событ*|事件|イベント
evict|verdrang*|desaloj*|evinc*|despej*|вытесн*|淘汰 驱逐|追い出
exception|ausnahme*|excepcion*|exceptions|excecao excecoes|исключен*|异常|例外
execute|ausfuhr* ausgefuhr*|ejecut*|execut*|execut*|выполн* исполн*|执行|実行
expire|ablauf* abgelauf*|caduc* expir* venc*|expir* perim*|expir* venc*|истека* истек* просроч*|过期 失效|期限切れ 失効
exhaust|erschopf*|agot*|epuis*|esgot*|исчерп*|耗尽|枯渇
export|exportier*|export*|export*|export*|экспорт*|导出|エクスポート
extension|erweiter*|extensiones|extensions|extensao extensoes|расширен*|扩展|拡張
fail|fehlschl* fehlgeschlag* scheiter*|fall* fracas*|echou* echec*|falh*|неудач* сбо*|失败|失敗
fetch|abruf* abgeruf* hol* geholt*|obten* obtien* recuper*|recuper*|busc* obt*|получ*|获取|取得
field|felder feld|campo*|champ champs|campo*|пол* поле|字段|フィールド
file|datei*|archivo* fichero*|fichier*|arquivo* ficheiro*|файл*|文件|ファイル
filter|gefiltert* filtern|filtr*|filtr*|filtr*|фильтр*|过滤|フィルタ
find|find* gefund*|encontr* encuentr* hall*|trouv*|encontr* ach*|найти найд* нах*|查找 寻找|見つけ
format|formatier*|format*|format* mise|format*|формат*|格式化 格式|フォーマット
function|funktionen|funciones funcion|fonction*|funcao funcoes|функци*|函数|関数
generate|generier* erzeug*|gener*|gener*|ger*|генер*|生成|生成
handle|behandel* verarbeit*|manej* gestion*|gere* gest* trait*|trat* manip* gerenc*|обраб*|处理|処理
hash|hashes|resumen|hachage* empreinte*|hashes|хеш* хэш*|哈希|ハッシュ
header|kopfzeile*|cabecera* encabezado*|tete tetes|cabecalho*|заголов*|头部 请求头|ヘッダ
import|importier*|import*|import*|import*|импорт*|导入|インポート
index|indizier* indexier*|indice* index*|index*|indice* index*|индекс*|索引|インデックス
initialize|initialisier*|inicializ*|initialis*|inicializ*|инициал*|初始化|初期化
inject|injizier*|inyec*|inject*|injet* injec*|внедр*|注入|注入
input|eingabe*|entrada*|entree*|entrada*|ввод*|输入|入力
insert|einfug* eingefug*|insert*|inser*|inser*|встав*|插入|挿入
install|installier*|instal*|install*|instal*|устан*|安装|インストール
interface|schnittstelle*|interfaz interfaces|interfaces|interfaces|интерфейс*|接口|インターフェース
iterate|iterier*|iter* recorr*|iter* parcour*|iter* percor*|итер* перебор*|遍历 迭代|反復
job|auftrag* auftrage*|trabajo* tarea*|travail travaux tache*|trabalho* tarefa*|задан* задач*|任务 作业|ジョブ
key|schlussel*|clave* llave*|cle cles clef*|chave*|ключ*|键 密钥|キー
language|sprach*|idioma* lenguaj*|langue* langage*|idioma* linguag*|язык*|语言|言語
layout|anordnung*|diseno*|disposition*|leiaute*|макет*|布局|レイアウト
library|bibliothek*|bibliotec* libreri*|bibliotheque*|bibliotec*|библиот*|库|ライブラリ
limit|begrenz* beschrank*|limit*|limit*|limit*|огранич* лимит*|限制|制限
line|zeile*|linea*|ligne*|linha*|строк*|行|行
list|liste*|lista*|liste*|lista*|спис*|列表|リスト 一覧
listen|lausch* gelausch*|escuch*|ecout*|escut* ouv*|слуша* прослуш*|监听|リッスン
load|lad* gelad*|carg*|charg*|carreg*|загру*|加载 读取|読み込
load balance|lastverteil*|balance*|repartition*|balancea*|балансир*|负载均衡|ロードバランス 負荷分散
lock|sperr* gesperr* verriegel*|bloque*|verrou*|bloque* trav*|блокир*|锁|ロック
log|protokoll*|registro* bitacora*|journal* journalis*|registro*|лог* журнал*|日志|ログ
loop|schleife*|bucle* ciclo*|boucle*|laco* ciclo*|цикл*|循环|ループ
memory|speicher* arbeitsspeicher*|memoria*|memoire*|memoria*|памят*|内存|メモリ
merge|zusammenfuhr* zusammengefuhr*|fusion* combin*|fusion*|mescl* fund*|слия* объедин*|合并|マージ
message|nachricht* meldung*|mensaje*|messages|mensagem mensagens|сообщ*|消息 信息|メッセージ
method|methode*|metodo*|methode*|metodo*|метод*|方法|メソッド
migrate|migrier*|migr*|migr*|migr*|мигр*|迁移|移行 マイグレーション
model|modell*|modelo*|modele*|modelo*|модел*|模型|モデル
module|modul module*|modulo*|modules|modulo*|модул*|模块|モジュール
name|namen|nombre*|nom noms|nome nomes|имя имен* назван*|名称 名字|名前
network|netzwerk* netz*|red redes|reseau*|rede redes|сет* сеть|网络|ネットワーク
node|knoten*|nodo*|noeud*|nos no|узел узл*|节点|ノード
notify|benachrichtig*|notific* avis*|notifi* averti*|notific* avis*|уведом* оповещ*|通知|通知
object|objekt*|objeto*|objet*|objeto*|объект*|对象|オブジェクト
open|offn* geoffn*|abr* abier*|ouvr* ouvert*|abr* abert*|откры*|打开|開く 開き
option|optionen|opcion*|options|opcao opcoes|опци*|选项|オプション
order|bestell*|pedido*|commande*|pedido*|заказ*|订单|注文
output|ausgabe* ausgegeb*|salida*|sortie*|saida*|вывод*|输出|出力
package|paket*|paquete*|paquet*|pacote*|пакет*|包|パッケージ
page|seite*|pagina*|page*|pagina*|страниц*|页面|ページ
parallel|parallelis*|paralel*|parallele*|paralel*|паралл*|并行 并发|並列
parameter|parametern|parametro*|parametre*|parametro*|параметр*|参数|パラメータ
parse|pars* geparst* auswert* ausgewert*|analiz*|analys*|analis*|разбор* разбир* парс*|解析|解析 パース
password|passwort* passworter* kennwort*|contrasen*|passe|senha*|парол*|密码|パスワード
path|pfad*|ruta*|chemin*|caminho*|пут* путь|路径|パス
payment|zahlung* bezahl*|pago*|paiement*|pagamento*|платеж* оплат*|支付 付款|支払
persist|persistier*|persist*|persist*|persist*|сохран*|持久化|永続化
plugin|plugins|complemento*|greffon*|plugins|плагин*|插件|プラグイン
pool|pools|grupo*|bassin*|pools|пул*|池|プール
price|preis*|precio*|prix|preco*|цен*|价格|価格
print|druck* gedruck*|imprim*|imprim*|imprim*|печат*|打印|印刷
process|prozess*|proceso*|processus|processo*|процесс*|进程|プロセス
protocol|protokolle*|protocolo*|protocole*|protocolo*|протокол*|协议|プロトコル
provider|anbieter*|proveedor*|fournisseur*|provedor* fornecedor*|провайдер* поставщик*|提供者 提供商|プロバイダ
publish|veroffentlich*|public*|publi*|public*|публик*|发布|公開 発行
query|abfrag* abgefrag*|consult*|requete*|consult*|запрос*|查询|クエリ
queue|warteschlange*|cola colas|file files|fila filas|очеред*|队列|キュー
random|zufall* zufallig*|aleatori*|aleatoire*|aleatori*|случайн*|随机|ランダム
read|lesen liest gelesen* einlesen eingelesen*|leer lee leen leid*|lire lit lu lus lue lues|ler le lido lida lidos|чита* прочит*|读取 读|読み取 読み込
receive|empfang* empfing*|recib*|recev* recoi* recu*|receb*|прием* принима*|接收|受信
record|datensatz*|registros|enregistrement*|registros|запис*|记录|レコード
redirect|umleit* umgeleit*|redirig* redirecc*|redirig* redirection*|redirecion*|перенаправ*|重定向|リダイレクト
register|registrier*|registr*|enregistr*|registr*|регистр*|注册|登録
remote|entfernt*|remot*|distant*|remot*|удаленн*|远程|リモート
render|rendern gerendert*|renderiz*|rendu*|renderiz*|рендер* отрис*|渲染|レンダリング 描画
renew|erneuer*|renov*|renouvel*|renov*|обновл* продл*|续期 续订|更新
replace|ersetz*|reemplaz* sustitu*|remplac*|substitu*|замен*|替换|置換
replication|replikation* replizier*|replic*|repliqu* replication*|replic*|реплика* реплиц*|复制 主从复制|レプリケーション
request|anfrag* anforder* angeforder*|peticion* solicitud*|requete* demande*|requisic* solicitac* pedido*|запрос*|请求|リクエスト
reset|zurucksetz* zuruckgesetz*|restablec* reinici*|reinitialis*|redefin*|сброс* сбрас*|重置|リセット
resolve|auflos* aufgelos*|resolv* resuel*|resol* resou*|resolv*|разреш*|解析|解決
response|antwort*|respuesta*|reponse*|resposta*|ответ*|响应|レスポンス 応答
retry|wiederhol*|reintent*|reessa* retent*|retent*|повтор*|重试|リトライ 再試行
return|zuruckgeb* zuruckgegeb*|devolv* devuelv*|renvo* retourn*|retorn* devolv*|возвра*|返回|返す
role|rollen rolle|roles rol|roles|papel papeis|рол*|角色|ロール
route|routen|rutas enrut*|routage*|rotas rota rotea*|маршрут*|路由|ルーティング ルート
rule|regel*|regla*|regle*|regra*|правил*|规则|ルール 規則
save|speicher* gespeicher*|guard*|enregistr* sauveg*|salv*|сохран*|保存|保存
schedule|plan* geplan*|program* planific*|planifi* ordonnanc*|agend*|планир* расписан*|调度 定时|スケジュール
search|such* gesuch* durchsuch*|busc* busqued*|cherch* recherch*|busc* pesquis*|поиск* иск*|搜索 查找|検索
secret|geheim*|secreto*|secrets|segredo*|секрет*|机密|シークレット
security|sicherheit*|segurid*|securit*|seguranc*|безопас*|安全|セキュリティ
select|auswahl* ausgewahl*|seleccion* eleg*|selection* choisi*|selecion* escolh*|выбор* выбир*|选择|選択
send|send* gesend* versend* schick* geschick*|envi*|envo*|envi* mand*|отправ*|发送|送信
serialize|serialisier*|serializ*|serialis*|serializ*|сериал*|序列化|シリアライズ
server|servern|servidor*|serveur*|servidor*|сервер*|服务器 服务端|サーバー サーバ
service|dienst*|servicio*|services|servico*|сервис* служб*|服务|サービス
session|sitzung*|sesion*|sessions|sessao sessoes|сесси* сеанс*|会话|セッション
setting|einstellung* eingestell*|ajuste*|parametrage* reglage*|configurac* ajuste*|настройк*|设置|設定
share|teil* geteil*|compart*|partag*|compartilh*|общ*|共享|共有
shutdown|herunterfahr* heruntergefahr*|apag*|arret*|deslig*|выключ* заверш* останов*|关闭 停机|シャットダウン
size|grosse*|tamano*|taille*|tamanho*|размер*|大小|サイズ
sort|sortier*|orden*|tri trie* tri*|orden* classific*|сортир*|排序|ソート 並べ替え
start|starten gestartet*|inici* arranc*|demarr*|inici*|запус* старт*|启动|起動 開始
state|zustand* zustande*|estado*|etat etats|estado*|состоян*|状态|状態
stop|stopp* gestopp* anhalt*|deten* detien* parar|arret*|parar par*|останов*|停止|停止
store|ablag* ablegen|almacen*|stock*|armazen*|хран*|存储|保存 ストア
stream|strom strome*|flujo*|flux|fluxo*|поток*|流|ストリーム
string|zeichenkett*|cadena*|chaine*|cadeia*|строк*|字符串|文字列
synchronize|synchronisier*|sincroniz*|synchronis*|sincroniz*|синхрон*|同步|同期
table|tabelle*|tabla*|tables|tabela*|таблиц*|表格 数据表|テーブル
task|aufgabe*|tarea*|tache*|tarefa*|задач*|任务|タスク
template|vorlage*|plantilla*|modele* gabarit*|modelo*|шаблон*|模板|テンプレート
test|getestet* testen|prueba*|essai*|teste*|тест*|测试|テスト
thread|threads|hilo*|fil fils|threads|поток*|线程|スレッド
thread pool|threadpools|grupo|groupe|grupo|пул|线程池|スレッドプール
throw|werf* geworf*|lanz*|lev* lanc*|lanc*|брос* выбрас*|抛出|スロー
timeout|zeituberschreit* zeitlimit*|tiempo|expiration|tempo|таймаут*|超时|タイムアウト
time|zeit zeiten|tiempo*|temps|tempo|врем*|时间|時間
token|tokens|ficha*|jeton*|fichas|токен*|令牌|トークン
transaction|transaktion*|transaccion*|transactions|transacao transacoes|транзакц*|事务|トランザクション
translate|ubersetz*|traduc*|tradui* traduction*|traduz*|перевод* перев*|翻译|翻訳
tree|baum baume*|arbol*|arbre*|arvore*|дерев*|树|ツリー
type|typen typ|tipo*|types|tipo*|тип*|类型|型
update|aktualisier*|actualiz*|mettre mis|atualiz*|обнов*|更新|更新
upload|hochlad* hochgelad*|sub* carga|televers*|envi*|загруз*|上传|アップロード
user|benutzer* nutzer* anwender*|usuario*|utilisateur*|usuario* utilizador*|пользовател*|用户|ユーザー ユーザ
validate|validier* uberpruf*|valid*|valid*|valid*|валид* проверк*|验证 校验|検証 バリデーション
value|werte* wert|valores valor|valeur*|valores valor|значен*|值|値
variable|variablen|variables|variables|variavel variaveis|переменн*|变量|変数
version|versionen|versiones|versions|versao versoes|верси*|版本|バージョン
view|ansicht*|vistas vista|vues vue|visao vistas|представлен*|视图|ビュー
wait|wart* gewart*|esper*|attend* attent*|esper* aguard*|ожид* жд*|等待|待機 待つ
warning|warnung*|advertencia*|avertiss*|aviso*|предупр*|警告|警告
window|fenster*|ventana*|fenetre*|janela*|окн* окон*|窗口|ウィンドウ
worker|arbeiter*|trabajador*|travailleur* ouvrier*|trabalhador*|воркер* рабоч*|工作线程|ワーカー
write|schreib* geschrieb*|escrib*|ecri*|escrev*|запис* пис*|写入|書き込
`;

/** Function words by language, which carry no content to search for. */
export const FRAMES: Readonly<Record<(typeof LANGUAGES)[number], string>> = {
  de:
    'wo wie was wann warum wer welche welcher welches wird werden wurde wurden worden ist sind hat haben kann ' +
    'konnen soll der die das den dem des ein eine einen einem einer eines und oder in im ins an am auf aus bei ' +
    'beim mit nach von vom vor zu zum zur fur uber unter durch nicht kein keine man sich es er sie wir ich hier ' +
    'dort wenn dass als auch alle funktioniert funktionieren passiert gibt geschieht benutzt verwendet genutzt',
  es:
    'donde como que cual cuales cuando quien porque se es son esta estan fue ser hay el la los las un una unos ' +
    'unas y o en de del al a con por para sobre entre sin no si su sus lo le les funciona funcionan hace hacen usa ' +
    'usan utiliza ocurre sucede puedo puede',
  fr:
    'ou comment que quoi quel quelle quels quelles quand qui pourquoi est sont etre a ont fait font le la les un ' +
    'une des du de d l et en dans sur sous avec par pour sans ne pas se s il elle on nous vous ce cette ces son sa ' +
    'ses au aux y fonctionne fonctionnent marche utilise passe peut',
  pt:
    'onde como que qual quais quando quem porque por se e sao esta estao foi ser ha o a os as um uma uns umas ou ' +
    'em no na nos nas de do da dos das ao com para sobre entre sem nao seu sua funciona funcionam faz fazem usa ' +
    'usado acontece posso pode',
  ru:
    'где как что когда кто почему какой какая какие в во на с со из к ко по о об от для и или не это есть ли при ' +
    'через под над работает работают происходит используется можно',
  zh: '在哪里 在哪 哪里 哪儿 如何 怎么 怎样 什么 为什么 什么时候 谁 哪个 工作 实现 是 的 了 被 在 和 与 或 对 把 将 用 会 有 中 里 吗 呢 进行 使用 可以 并 从 到',
  ja:
    'どこで どこに どこ どのように どう いつ なぜ 何 誰 どの されますか されています されている されます される された する します して した ますか ます ですか です か は が を に で の と も ' +
    'へ から まで や って いる います なる',
};
