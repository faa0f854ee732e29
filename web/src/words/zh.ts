// Chinese texts of the page.

import type { Words } from '.';
import type { OutcomeReason } from '../api/client';

export const zh: Words = {
  play: '对弈', analyse: '分析', review: '复盘', learn: '学习', reference: '接口与棋种',
  newGame: '新对局', takeBack: '悔棋', hint: '提示', flip: '翻转', resign: '认输', stop: '停止', more: '更多', close: '关闭', start: '开始',
  game: '棋种', options: '规则与选项', opponent: '对手', yourSide: '执子', both: '双人对弈', neither: '引擎对引擎',
  level: '等级', levelOf: (level) => `${level} 级`, algorithm: '算法', time: '每步时间', person: '人', clock: '棋钟', noClock: '不计时', minutes: (count) => `每方 ${count} 分钟`,
  levelWord: ['', '入门', '初学', '业余', '进步', '棋友', '高手棋友', '专家', '大师', '特级大师', '全力'],
  elo: (elo) => `比 1 级高 ${Math.round(elo)} Elo`,
  moves: '着法', lines: '变化', evaluation: '形势', ratings: '评分', depth: '深度', nodes: '节点', perSecond: '节点/秒', simulations: '模拟',
  evaluationOf: (side, share) => `${side}:预期得分 ${share}`,
  draw: '和棋', winsIn: (plies) => `${plies} 步胜`, losesIn: (plies) => `${plies} 步负`, proved: '已证明', exact: '精确',
  toMove: (side) => `轮到${side}`, thinks: (side) => `${side}思考中`, yourMove: '请走棋', chance: '随机事件', waits: (seconds, of) => `排队等待:${seconds} 秒${of === null ? '' : `,预计 ${of} 秒`}`,
  reasons: {
    all_characters_defeated: '角色全部倒下', board_full: '棋盘已满', checkmate: '将死', dead_material: '子力不足', equal_cells: '占格相等', five_in_a_row: '五连', four_in_a_row: '四连', last_round: '最后一轮', last_stone_taken: '取走最后一子', more_cells: '占格较多', no_discs_left: '没有棋子', no_hit_points_left: '生命耗尽', no_legal_move: '无着可走', no_move_left: '无着可走', no_moves_left: '无着可走', no_snakes: '蛇已死亡', one_stone_left: '只剩一子', stalemate: '困毙', three_in_a_row: '三连', perpetual_check: '长将', mutual_perpetual_check: '双方长将', perpetual_chase: '长捉', mutual_perpetual_chase: '双方长捉', threefold_repetition: '三次重复', sixty_moves: '六十回合未吃子', hundred_plies_without_capture: '一百步未吃子', leaf: '到达叶节点',
  } satisfies Record<OutcomeReason, string>, analysing: '分析中',
  won: (side, reason) => `${side}胜:${reason}`, drawn: (reason) => `和棋:${reason}`, resigned: (side) => `${side}认输`, timeUp: (side) => `${side}超时`,
  offline: '无法连接服务,对局已保留。', busy: (seconds) => (seconds > 0 ? `服务繁忙,${seconds} 秒后重试。` : '服务繁忙。'), quota: (seconds) => (seconds > 0 ? `请求过多,${seconds} 秒后重试。` : '请求暂时过多。'), retry: '重试',
  board: '棋盘', empty: '空', announced: (side, move) => `${side}:${move}`,
  keys: '方向键移动光标或蛇,回车选子落子,u 悔棋,h 提示,f 翻转,? 显示按键。', pictures: '图形棋子', keyboard: '按键', letterKeys: '启用字母和符号键', held: '已选中', target: '可落子', lastPlayed: '上一着', failedToLoad: '此部分未能载入。',
  firstMove: '开局', previousMove: '上一步', nextMove: '下一步', lastMove: '终局',
  heap: (index) => `第 ${index} 堆`, take: (count) => `取 ${count}`,
  hitPoints: '生命', energy: '充能', dice: '骰子', hand: '手牌', summons: '召唤物', supports: '支援', round: '回合', deck: '牌库', hidden: '未知', shield: '护盾', active: '出战', fallen: '倒下',
  dark: '深色', light: '浅色', language: 'English', theme: '配色',
  tree: '搜索树', traced: '跟踪一次搜索', step: '前进', back: '后退', playTree: '播放', pauseTree: '暂停', speed: '速度', visits: (count) => `${count} 次访问`, firstNodes: (count) => `前 ${count} 个节点:搜索在此结束。`, treeEmpty: '跟踪一次搜索,即可看到搜索树。用 uct 或 mcts 分析时,可看到树的生长。',
  windowIs: '窗口', valueIs: '值', ofMax: '根方走', ofMin: '对方走', atLeast: '至少', atMost: '至多',
  points: (points) => `${points} 分`, answeredBy: (line) => `应着:${line}`, luckFigures: (luck, skill) => `先手运气 ${luck},技术 ${skill}`, came: (outcome, luck) => `${outcome}:运气 ${luck}`, chanceEvents: '随机事件', whichGame: '棋谱中的对局', nextMistake: '下一个错着', allSolved: '已是最后一个。', reviewGame: '复盘本局', pasteGame: '粘贴或拖入棋谱', pasteHelp: '着法、SGF、PGN 或棋谱文件', readFile: '读取', accuracy: '准确度', meanPoints: '平均得分', excitement: '精彩程度', drama: '起伏', luck: '运气', turningPoints: '转折点', better: (move) => `更好:${move}`, retryMistakes: '重试错着', noMistakes: '没有错着。', findBetter: (side) => `${side}:找出更好的着法`, rightMove: '正确。', wrongMove: '不是这步,再试。', exportGame: '导出', shareGame: '复制链接', copied: '已复制', reviewing: (done, all) => `复盘中:${done} / ${all} 个局面`, noMoves: '请先下一局或粘贴棋谱。', leaveRetry: '返回复盘', sureness: '胜率:', moveNumber: (ply) => `第 ${ply} 步后`,
  classes: { correct: '正着', slack: '缓手', mistake: '错着' },
  lesson: '课程', check: '检查', nextLesson: '下一课', right: '正确。', wrong: '还不对。', showAnswer: '显示答案', judged: '由服务的搜索记录判定。',
  unit: '评估单位', strongestIn: '最强用于', needs: '要求', budgets: '可用的预算', gamesAndRules: '棋种', methods: '算法', run: '运行', request: '请求', answer: '回答', rules: '规则', notation: '着法记号', positions: '局面', source: '出处', range: '范围', preset: '默认', games: '棋种', backToBoard: '回到棋盘', api: '接口', snippets: '代码示例', loading: '载入中', strength: '等级',
};
